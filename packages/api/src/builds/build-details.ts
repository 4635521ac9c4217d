import { forbidden, notFound } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import { canDo } from '@berth/rbac';
import type { z } from 'zod';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import type { ProvisionerJobLog } from '../provisioner-jobs/contract.ts';
import { followJobLogs, listJobLogs, requestCancel } from '../provisioner-jobs/index.ts';
import { templateFactsSelect, templateRef, workspaceRef } from './build-facts.ts';
import type { BuildPath, ListBuildLogs, WorkspaceBuildParameter, WorkspaceBuildState, WorkspaceBuildTimings } from './contract.ts';
import type { ReadCall } from './read-builds.ts';
import { loadOwnBuild } from './read-builds.ts';
import { readTimings } from './timings/read-timings.ts';

type BuildRef = z.output<typeof BuildPath>;

const buildRefSelect = {
  id: true,
  jobId: true,
  workspace: { select: { id: true, ownerId: true, organizationId: true, dormantAt: true } },
} as const satisfies Prisma.WorkspaceBuildSelect;

async function loadBuildRef(db: Tx, id: string) {
  const build = await db.workspaceBuild.findUnique({ where: { id }, select: buildRefSelect });
  if (build === null) throw notFound();
  return build;
}

/**
 * Asks a build to end. Where the template does not leave that to the workspace's users, only those who may change every workspace of the site can.
 *
 * @throws invalid when the build has ended or was already asked to.
 */
export async function cancelBuild(call: UserCall, { workspacebuild }: BuildRef): Promise<Confirmation> {
  const build = await call.db.workspaceBuild.findUnique({
    where: { id: workspacebuild },
    select: {
      ...buildRefSelect,
      buildNumber: true,
      workspace: {
        select: { ...buildRefSelect.workspace.select, name: true, template: { select: { allowUserCancelWorkspaceJobs: true } } },
      },
    },
  });
  if (build === null) throw notFound();
  call.audit.set({
    resourceId: build.id,
    target: build.workspace.name,
    organizationId: build.workspace.organizationId,
    additionalFields: { workspace_id: build.workspace.id, build_number: String(build.buildNumber), canceled: true },
  });
  call.authorize.require(workspaceRef(build.workspace));
  if (!build.workspace.template.allowUserCancelWorkspaceJobs && !canDo(call.principal.subject, 'workspace:update', {})) {
    throw forbidden('The template of this workspace does not let its users cancel builds.');
  }
  const status = await requestCancel(call, build.jobId);
  return confirmed(status === 'canceled' ? 'The build has been canceled.' : 'The build is being canceled.');
}

/** The parameters that a build was made with, by name. */
export async function listBuildParameters(call: ReadCall, { workspacebuild }: BuildRef): Promise<WorkspaceBuildParameter[]> {
  const build = await loadBuildRef(call.db, workspacebuild);
  call.authorize.require(workspaceRef(build.workspace));
  return call.db.workspaceBuildParameter.findMany({
    where: { buildId: build.id },
    select: { name: true, value: true },
    orderBy: { name: 'asc' },
  });
}

/** Where the time of a build went. */
export async function getBuildTimings(call: ReadCall, { workspacebuild }: BuildRef): Promise<WorkspaceBuildTimings> {
  const build = await loadBuildRef(call.db, workspacebuild);
  call.authorize.require(workspaceRef(build.workspace));
  return readTimings(call.db, build.jobId);
}

/** The provisioner's state of a build, as it was stored: for those who may update the template. */
export async function buildStateBytes(call: ReadCall, { workspacebuild }: BuildRef): Promise<Uint8Array> {
  const build = await call.db.workspaceBuild.findUnique({
    where: { id: workspacebuild },
    select: {
      provisionerState: true,
      workspace: { select: { ...buildRefSelect.workspace.select, template: { select: templateFactsSelect } } },
    },
  });
  if (build === null || !call.authorize.can('read', workspaceRef(build.workspace))) throw notFound();
  // Who reads the workspace knows its template, so that a refusal hides nothing.
  call.authorize.require(templateRef(build.workspace.template), { sitewide: true });
  return build.provisionerState;
}

/** A build together with its state, for those who may update the template. */
export async function getBuildState(call: ReadCall, input: BuildRef): Promise<WorkspaceBuildState> {
  const state = await buildStateBytes(call, input);
  const build = await loadOwnBuild(call, input.workspacebuild);
  return { ...build, provisioner_state: Buffer.from(state).toString('base64') };
}

/** The log of a build, oldest line first. */
export async function listBuildLogs(call: ReadCall, input: z.output<typeof ListBuildLogs>): Promise<ProvisionerJobLog[]> {
  const build = await loadBuildRef(call.db, input.workspacebuild);
  call.authorize.require(workspaceRef(build.workspace));
  return listJobLogs(call.db, build.jobId, input);
}

/** Where a follower of a log stands. */
export interface FollowLog {
  /** Of the build or agent. */
  readonly id: string;
  /** The last line already seen; 0 for none. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/**
 * The log of a build as it comes, from after the last line seen. Ends when the job has ended and all was given.
 * Authorises before it answers the generator.
 */
export async function followBuildLogs(
  call: UserCall,
  { id, after, signal }: FollowLog,
): Promise<AsyncGenerator<ProvisionerJobLog, void, void>> {
  const build = await loadBuildRef(call.db, id);
  const object = workspaceRef(build.workspace);
  call.authorize.require(object);
  return permittedStream(call, { action: 'read', object, signal }, (still) => followJobLogs(call.services, build.jobId, after, still));
}

interface Resumable {
  readonly after?: number | undefined;
  readonly lastEventId?: string | null | undefined;
}

/** Where to go on: after the last event that a resuming client saw, else where it asked to begin. */
export function resumeAfter({ after, lastEventId }: Resumable): number {
  const last = lastEventId === undefined || lastEventId === null ? Number.NaN : Number(lastEventId);
  return Number.isSafeInteger(last) && last >= 0 ? last : (after ?? 0);
}
