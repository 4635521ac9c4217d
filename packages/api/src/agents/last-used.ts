import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';

/** Use is written at most this often: it decides about dormancy, in days. */
const TOUCH_EVERY_SECONDS = 60;

/** Notes that a workspace is in use now. Writes nothing when that was noted a moment ago. */
export async function touchWorkspace(db: Tx, workspaceId: string, now: Date): Promise<void> {
  const at = Prisma.sql`${now.toISOString()}::timestamptz`;
  await db.$executeRaw(Prisma.sql`
    UPDATE workspaces SET last_used_at = ${at}
    WHERE id = ${workspaceId}::uuid AND last_used_at <= ${at} - make_interval(secs => ${TOUCH_EVERY_SECONDS}::int)`);
}
