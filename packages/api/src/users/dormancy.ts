import { z } from 'zod';
import { recordDormancy } from '../auth/record-dormancy.ts';
import { authChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';

/** An active account that was not seen for this long becomes dormant. */
export const DORMANT_AFTER_MS = 90 * 24 * 60 * 60 * 1000;
const BATCH = 100;

const Unseen = z.array(z.object({ id: z.string(), username: z.string() }));

/**
 * Marks accounts as dormant that nobody used for ninety days, counted from their last visit, or from their making when there was none.
 * They become active again with the next use of a key. One batch; true when there may be more. Safe on all replicas at once.
 */
export async function markUnseenDormant(services: Services): Promise<boolean> {
  const before = instantSql(new Date(services.clock.now().getTime() - DORMANT_AFTER_MS));
  const count = await services.prisma.$transaction(async (db) => {
    const users = Unseen.parse(
      await db.$queryRaw`
        UPDATE users SET status = 'dormant', updated_at = ${instantSql(services.clock.now())}
        WHERE id IN (
          SELECT id FROM users
          WHERE status = 'active' AND NOT deleted AND coalesce(last_seen_at, created_at) < ${before}
          ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        )
        RETURNING id::text, username`,
    );
    for (const user of users) await recordDormancy(db, user, { before: 'active', after: 'dormant' });
    await services.bus.publishAll(
      db,
      authChannel,
      users.map(({ id }) => ({ user_id: id })),
    );
    return users.length;
  });
  if (count > 0) services.log.info({ count }, 'accounts that nobody used for ninety days are dormant now');
  return count === BATCH;
}
