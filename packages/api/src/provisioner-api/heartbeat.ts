import type { HeartbeatInput, HeartbeatOutput } from '@berth/protocol';
import { extendLease } from '../provisioner-jobs/lease.ts';
import { appendJobLogs } from '../provisioner-jobs/logs.ts';
import type { ProvisionerCall } from './call.ts';

const SEEN_EVERY_MS = 15_000;

/**
 * Holds on to a job and stores its new log lines, each once however often it is sent: lines are known by their numbers, and the lease
 * keeps the job's row locked meanwhile.
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
  const first = input.sequence ?? job.logsReceived;
  const lines = input.logs.slice(Math.max(0, job.logsReceived - first));
  if (lines.length > 0) {
    await appendJobLogs(db, services, {
      jobId: job.id,
      source: 'provisioner',
      lines: lines.map(({ created_at, ...line }) => ({ ...line, createdAt: new Date(created_at) })),
    });
    await db.provisionerJob.update({ where: { id: job.id }, data: { logsReceived: first + input.logs.length }, select: { id: true } });
  }
  return { cancel: job.canceledAt !== null };
}
