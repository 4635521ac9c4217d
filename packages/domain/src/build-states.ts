import type { JobStatus, Transition, WorkspaceStatus } from './enums.ts';

export interface JobFacts {
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly canceledAt: Date | null;
  /** Empty or null while nothing went wrong. */
  readonly error: string | null;
}

/** The status of a job, from its times and its error. */
export function jobStatus(job: JobFacts): JobStatus {
  const hasFailed = job.error !== null && job.error !== '';
  if (hasFailed) return 'failed';
  if (job.completedAt !== null) return job.canceledAt === null ? 'succeeded' : 'canceled';
  if (job.canceledAt !== null) return 'canceling';
  return job.startedAt === null ? 'pending' : 'running';
}

/**
 * The statuses that a job may have next; one that its provisioner lost or gave back is pending again. Statuses without a next one are
 * final.
 */
export const JOB_STATUS_TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['running', 'canceled'],
  running: ['succeeded', 'failed', 'canceling', 'canceled', 'pending'],
  canceling: ['canceled', 'failed'],
  succeeded: [],
  failed: [],
  canceled: [],
  unknown: [],
};

/** Whether a job in this status still has to end. */
export function isJobActive(status: JobStatus): boolean {
  return JOB_STATUS_TRANSITIONS[status].length > 0;
}

/** Why a job cannot be cancelled, or null if it can. */
export function cancelProblem(status: JobStatus): 'finished' | 'already_canceling' | null {
  if (status === 'canceling') return 'already_canceling';
  return isJobActive(status) ? null : 'finished';
}

const RUNNING: Readonly<Record<Transition, WorkspaceStatus>> = { start: 'starting', stop: 'stopping', delete: 'deleting' };
const SUCCEEDED: Readonly<Record<Transition, WorkspaceStatus>> = { start: 'running', stop: 'stopped', delete: 'deleted' };

/** The status of a build and, for the latest one, of its workspace. */
export function workspaceStatus(status: JobStatus, transition: Transition): WorkspaceStatus {
  switch (status) {
    case 'running':
      return RUNNING[transition];
    case 'succeeded':
      return SUCCEEDED[transition];
    case 'pending':
    case 'canceling':
    case 'canceled':
    case 'failed':
      return status;
    case 'unknown':
      return 'failed';
  }
}

export function buildStatus(job: JobFacts, transition: Transition): WorkspaceStatus {
  return workspaceStatus(jobStatus(job), transition);
}

const ACTIVE: ReadonlySet<WorkspaceStatus> = new Set(['pending', 'starting', 'stopping', 'canceling', 'deleting']);

/** Whether a build is under way; until it ends, only cancelling it is possible. */
export function isBuildActive(status: WorkspaceStatus): boolean {
  return ACTIVE.has(status);
}

/**
 * Why a workspace whose latest build has this status (null: it has none yet) cannot take a new build, or null if it can. An idle
 * workspace takes every transition, also the one it had last; a deleted one takes none.
 */
export function buildProblem(latest: WorkspaceStatus | null): 'active' | 'deleted' | null {
  if (latest === null) return null;
  if (isBuildActive(latest)) return 'active';
  return latest === 'deleted' ? 'deleted' : null;
}

/** The transitions that a workspace may be asked for now, in the order in which people look for them. */
export function allowedTransitions(latest: WorkspaceStatus | null): readonly Transition[] {
  return buildProblem(latest) === null ? ['start', 'stop', 'delete'] : [];
}

/**
 * The statuses of a workspace that are caught by a search for `status`, as facts about its latest build. The counterpart of
 * `workspaceStatus` for queries.
 */
export function buildFactsOfStatus(status: WorkspaceStatus): { readonly jobStatus: JobStatus; readonly transition: Transition | null } {
  switch (status) {
    case 'starting':
      return { jobStatus: 'running', transition: 'start' };
    case 'stopping':
      return { jobStatus: 'running', transition: 'stop' };
    case 'deleting':
      return { jobStatus: 'running', transition: 'delete' };
    case 'running':
      return { jobStatus: 'succeeded', transition: 'start' };
    case 'stopped':
      return { jobStatus: 'succeeded', transition: 'stop' };
    case 'deleted':
      return { jobStatus: 'succeeded', transition: 'delete' };
    case 'pending':
    case 'failed':
    case 'canceling':
    case 'canceled':
      return { jobStatus: status, transition: null };
  }
}
