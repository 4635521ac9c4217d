import { conflict } from '@berth/core';
import { Prisma } from '@berth/db';
import type { DrainDaemonInput } from '@berth/protocol';
import { releaseJobs } from '../provisioner-jobs/release.ts';
import type { ProvisionerCall } from './call.ts';

/** Jobs are given back in batches of a hundred; a daemon never holds more than this. */
const MAX_RELEASES = 100;

/**
 * Notes that a daemon is about to leave: it finishes what it has and gets no more. Once it `left`, whatever it still has goes to the next
 * daemon at once instead of when its leases end, and that attempt does not count against the job.
 *
 * @throws conflict when another process registered under the daemon's name.
 */
export async function drainDaemon(call: ProvisionerCall, input: DrainDaemonInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const now = services.clock.now();
  const [daemon] = await db.provisionerDaemon.updateManyAndReturn({
    where: { id: input.daemon_id, sessionId: input.session_id, organizationId: principal.organizationId },
    data: { drainingAt: now, lastSeenAt: input.left ? null : now },
    select: { id: true, name: true },
  });
  if (daemon === undefined) throw conflict('Another process registered under the name of this daemon.');
  if (!input.left) return {};
  const left = {
    which: Prisma.sql`worker_id = ${daemon.id}::uuid`,
    reason: `The provisioner "${daemon.name}" was shut down and gave this job back.`,
    isCounted: false,
  };
  for (let round = 0; round < MAX_RELEASES && (await releaseJobs(db, services, left)) > 0; round++);
  return {};
}
