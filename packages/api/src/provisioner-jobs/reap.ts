import { Prisma } from '@berth/db';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { releaseJobs } from './release.ts';

/** A daemon that was not heard from for this long is forgotten. */
const FORGET_DAEMON_MS = 7 * 24 * 60 * 60 * 1000;

/** Takes jobs back from daemons that stopped reporting: requeued, canceled or failed with a reason. Answers how many. */
export async function reapLostJobs(services: Services): Promise<number> {
  return services.prisma.$transaction((db) =>
    releaseJobs(db, services, {
      which: Prisma.sql`lease_expires_at < ${instantSql(services.clock.now())}`,
      reason: 'The provisioner that had this job stopped responding.',
    }),
  );
}

/** Forgets daemons that were not seen for a week. Answers how many. */
export async function forgetLostDaemons(services: Services): Promise<number> {
  const before = new Date(services.clock.now().getTime() - FORGET_DAEMON_MS);
  const { count } = await services.prisma.provisionerDaemon.deleteMany({
    where: { OR: [{ lastSeenAt: { lt: before } }, { lastSeenAt: null, createdAt: { lt: before } }] },
  });
  return count;
}
