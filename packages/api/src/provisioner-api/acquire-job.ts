import type { AcquireJobInput, AcquireJobOutput, ProvisionerJob } from '@berth/protocol';
import { jobsChannel, workspaceChannel } from '../kernel/channels.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import type { ProvisionerCall } from './call.ts';
import type { Claim, DaemonSession } from './claim-job.ts';
import { claimJob, touchDaemon } from './claim-job.ts';
import { jobPayload } from './job-payload.ts';

/** News may be lost while a connection is down; a waiting daemon's queue is looked at again at least this often. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Gives a daemon the oldest job that fits it, with a lease; waits up to `wait_ms` for one. Answers as soon as a job is queued, and
 * with null when the time is over or `signal` says that the daemon left.
 *
 * @throws conflict when another process registered under the daemon's name.
 */
export async function acquireJob(call: ProvisionerCall, input: AcquireJobInput, signal?: AbortSignal): Promise<AcquireJobOutput> {
  const { db, services, principal } = call;
  const session: DaemonSession = { daemonId: input.daemon_id, sessionId: input.session_id, organizationId: principal.organizationId };
  const wakeup = new Wakeup();
  // Subscribed before the first look, so that no job can slip in between.
  const unsubscribe = services.bus.subscribe(jobsChannel, (news) => {
    if (news.organization_id === principal.organizationId) wakeup.ring();
  });
  try {
    await touchDaemon(db, services, session);
    const until = performance.now() + input.wait_ms;
    while (signal?.aborted !== true) {
      const claim = await claimJob(db, services, session);
      if (claim !== null) {
        const job = await payloadOrEnd(call, claim);
        if (job === null) continue;
        await tellWatchers(call, job);
        return { job };
      }
      const left = until - performance.now();
      if (left <= 0) break;
      await wakeup.wait(Math.min(left, LOOK_AGAIN_MS), signal);
    }
    return { job: null };
  } finally {
    unsubscribe();
  }
}

/** A build that a daemon has is no longer pending: whoever watches its workspace sees that at once. */
async function tellWatchers({ db, services }: ProvisionerCall, job: ProvisionerJob): Promise<void> {
  if (job.kind !== 'workspace_build') return;
  await services.bus.publish(db, workspaceChannel, { workspace_id: job.workspace.id, owner_id: job.workspace.owner.id, kind: 'build' });
}

/** The payload of a claimed job. A job that cannot be handed out (its version or build is gone) fails, so that it blocks no one. */
async function payloadOrEnd(call: ProvisionerCall, claim: Claim): Promise<ProvisionerJob | null> {
  const { services, principal } = call;
  try {
    const job = await jobPayload(services, claim);
    if (job !== null) return job;
  } catch (error) {
    services.log.error({ err: error, job_id: claim.id }, 'could not describe a provisioner job');
  }
  const lease = { jobId: claim.id, leaseToken: claim.leaseToken, organizationId: principal.organizationId };
  await services.prisma.$transaction(async (db) => {
    await endLeasedJob(db, services, { lease, error: 'The job could not be handed to a provisioner.', errorCode: '' });
    await publishJobChange(db, services, claim.id);
  });
  return null;
}
