import { conflict } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import type { Services } from '../kernel/context.ts';

/** A lease ends this long after the daemon was last heard from about the job. */
export const LEASE_SECONDS = 30;
/** Daemons that may try one job, one after the other, before it fails. */
export const MAX_ATTEMPTS = 3;

/** A daemon that was heard from within this time counts as there. */
export const DAEMON_STALE_MS = 3 * 60 * 1000;

/** What a daemon shows to act on a job. */
export interface Lease {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly organizationId: string;
}

export interface LeasedJob {
  readonly id: string;
  readonly kind: string;
  readonly organizationId: string;
  readonly initiatorId: string;
  readonly requestId: string;
  readonly requestIp: string;
  readonly requestAgent: string;
  readonly canceledAt: Date | null;
  readonly startedAt: Date | null;
  readonly workerId: string | null;
  readonly input: Prisma.JsonValue;
  /** Log lines that this attempt's daemon has delivered. */
  readonly logsReceived: number;
}

const LEASED_JOB = {
  id: true,
  kind: true,
  organizationId: true,
  initiatorId: true,
  requestId: true,
  requestIp: true,
  requestAgent: true,
  canceledAt: true,
  startedAt: true,
  workerId: true,
  input: true,
  logsReceived: true,
} as const;

/**
 * Changes a job that is held by `lease`, and locks its row until the transaction ends. This is the fence: every change that a daemon
 * makes goes through here first, and a lease that is over changes nothing.
 *
 * @throws conflict when the job ended, or another lease holds it.
 */
async function updateLeasedJob(
  db: Tx,
  { jobId, leaseToken, organizationId }: Lease,
  data: Prisma.ProvisionerJobUpdateManyMutationInput,
): Promise<LeasedJob> {
  const [job] = await db.provisionerJob.updateManyAndReturn({
    where: { id: jobId, leaseToken, organizationId, completedAt: null },
    data,
    select: LEASED_JOB,
  });
  if (job === undefined) throw conflict('The lease of this job is over. Stop working on it.');
  return job;
}

/** Holds on to a job for another `LEASE_SECONDS`. */
export function extendLease(db: Tx, services: Services, lease: Lease): Promise<LeasedJob> {
  const now = services.clock.now();
  return updateLeasedJob(db, lease, { leaseExpiresAt: new Date(now.getTime() + LEASE_SECONDS * 1000), updatedAt: now });
}

/** Ends a job and its lease. With `error` empty it has succeeded, or is canceled where someone asked for that. */
export function endLeasedJob(
  db: Tx,
  services: Services,
  { lease, error, errorCode, canceledAt }: { lease: Lease; error: string; errorCode: string; canceledAt?: Date },
): Promise<LeasedJob> {
  const now = services.clock.now();
  return updateLeasedJob(db, lease, {
    completedAt: now,
    updatedAt: now,
    error,
    errorCode,
    leaseToken: null,
    leaseExpiresAt: null,
    sealedInput: null,
    ...(canceledAt === undefined ? {} : { canceledAt }),
  });
}
