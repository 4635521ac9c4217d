import { Prisma, type Tx } from '@berth/db';
import type { HeartbeatInput, HeartbeatOutput } from '@berth/protocol';
import { extendLease } from '../provisioner-jobs/lease.ts';
import type { NewLogLine } from '../provisioner-jobs/logs.ts';
import { appendJobLogs } from '../provisioner-jobs/logs.ts';
import type { ProvisionerCall } from './call.ts';

const SEEN_EVERY_MS = 15_000;

/**
 * Holds on to a job and stores its new log lines. A batch that was stored already, because its answer got lost, is not stored twice.
 *
 * @throws conflict when the lease is over.
 */
export async function heartbeat(call: ProvisionerCall, input: HeartbeatInput): Promise<HeartbeatOutput> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  const job = await extendLease(db, services, lease);
  const now = services.clock.now();
  if (job.workerId !== null) {
    await db.provisionerDaemon.updateMany({
      where: { id: job.workerId, lastSeenAt: { lt: new Date(now.getTime() - SEEN_EVERY_MS) } },
      data: { lastSeenAt: now },
    });
  }
  const lines = input.logs.map(({ created_at, ...line }): NewLogLine => ({ ...line, createdAt: new Date(created_at) }));
  if (lines.length > 0 && !(await isStored(db, job.id, lines))) {
    await appendJobLogs(db, services, { jobId: job.id, source: 'provisioner', lines });
  }
  return { cancel: job.canceledAt !== null };
}

/** Whether the last lines of the log are exactly these. */
async function isStored(db: Tx, jobId: string, lines: readonly NewLogLine[]): Promise<boolean> {
  const last = await db.$queryRaw<NewLogLine[]>(Prisma.sql`
    SELECT created_at AS "createdAt", level, stage, output FROM provisioner_job_logs
    WHERE job_id = ${jobId}::uuid AND source = 'provisioner' ORDER BY id DESC LIMIT ${lines.length}`);
  if (last.length !== lines.length) return false;
  return last.toReversed().every((stored, index) => {
    const line = lines[index];
    return (
      line !== undefined &&
      stored.createdAt.getTime() === line.createdAt.getTime() &&
      stored.output === line.output &&
      stored.level === line.level &&
      stored.stage === line.stage
    );
  });
}
