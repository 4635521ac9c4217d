import { Prisma, type Tx } from '@berth/db';
import { jobsChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { auditBuild } from '../provisioner-api/audit-build.ts';
import { requireBuild } from '../provisioner-api/build-of-job.ts';
import { MAX_ATTEMPTS } from './lease.ts';
import { appendJobLogs } from './logs.ts';
import { publishJobChange } from './news.ts';
import { endSessionTokenOfStart } from './session-token.ts';

interface LostJob {
  readonly id: string;
  readonly kind: string;
  readonly initiatorId: string;
  readonly requestId: string;
  readonly requestIp: string;
  readonly requestAgent: string;
  readonly organizationId: string;
  readonly attempt: number;
  readonly canceledAt: Date | null;
}

export interface Release {
  /** A condition on `provisioner_jobs`. */
  readonly which: Prisma.Sql;
  /** A sentence for the job's log. */
  readonly reason: string;
  /** Whether it counts as one of the job's attempts, as unless told otherwise. */
  readonly isCounted?: boolean;
}

/**
 * Ends the leases of the jobs that `which` selects and that are still running. Each job goes back into the queue; one that someone
 * asked to cancel is canceled instead, and one that `MAX_ATTEMPTS` daemons lost fails. Answers how many jobs it was.
 */
export async function releaseJobs(db: Tx, services: Services, { which, ...why }: Release): Promise<number> {
  const jobs = await db.$queryRaw<LostJob[]>(Prisma.sql`
    SELECT id, kind, initiator_id AS "initiatorId", request_id AS "requestId", request_ip AS "requestIp", request_agent AS "requestAgent",
      organization_id AS "organizationId", attempt, canceled_at AS "canceledAt"
    FROM provisioner_jobs
    WHERE started_at IS NOT NULL AND completed_at IS NULL AND ${which}
    ORDER BY created_at, id LIMIT 100 FOR UPDATE SKIP LOCKED`);
  for (const job of jobs) await releaseJob(db, services, job, why);
  return jobs.length;
}

async function releaseJob(db: Tx, services: Services, job: LostJob, { reason, isCounted = true }: Omit<Release, 'which'>): Promise<void> {
  const now = services.clock.now();
  const attempts = isCounted ? job.attempt : job.attempt - 1;
  const isCanceled = job.canceledAt !== null;
  const isHopeless = !isCanceled && attempts >= MAX_ATTEMPTS;
  const outcome = isCanceled
    ? 'The job is canceled.'
    : isHopeless
      ? `The job failed after ${attempts} attempts.`
      : `The job is queued again (attempt ${attempts + 1} of ${MAX_ATTEMPTS}).`;
  const ended = { completedAt: now, sealedInput: null, error: isHopeless ? `${reason} ${outcome}` : '' };
  const queuedAgain = { startedAt: null, workerId: null, attempt: attempts };
  await db.provisionerJob.update({
    where: { id: job.id },
    data: { leaseToken: null, leaseExpiresAt: null, updatedAt: now, ...(isCanceled || isHopeless ? ended : queuedAgain) },
    select: { id: true },
  });
  const line = {
    createdAt: now,
    level: isHopeless ? ('error' as const) : ('warn' as const),
    stage: 'Provisioner',
    output: `${reason} ${outcome}`,
  };
  await appendJobLogs(db, services, { jobId: job.id, source: 'provisioner_daemon', lines: [line] });
  if (!isCanceled && !isHopeless) await services.bus.publish(db, jobsChannel, { organization_id: job.organizationId });
  if (isCanceled || isHopeless) await endSessionTokenOfStart(db, services, job.id);
  if (isHopeless && job.kind === 'workspace_build') {
    await auditBuild(db, { build: await requireBuild(db, job.id), job, hasFailed: true });
  }
  await publishJobChange(db, services, job.id);
}
