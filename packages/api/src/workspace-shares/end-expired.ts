import { Prisma } from '@berth/db';
import { writeAuditRow } from '../kernel/audit.ts';
import { workspaceSharesChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { ownRequest } from '../schedules/index.ts';
import { shareSelect } from './presenter.ts';
import { recordOf } from './record.ts';

const AT_ONCE = 100;

/**
 * Notes the end of shares whose time is over, each with an audit row. They let nobody in by then; this is for those who look at them.
 * Safe on all servers at once: each share is ended by one of them. Answers whether there may be more.
 */
export async function endExpiredShares(services: Services): Promise<boolean> {
  const { prisma, bus, clock, log } = services;
  const count = await prisma.$transaction(async (db) => {
    const ended = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      UPDATE workspace_shares s SET ended_at = s.expires_at
      FROM (SELECT due.id FROM workspace_shares due WHERE due.ended_at IS NULL AND due.expires_at <= ${instantSql(clock.now())}
        ORDER BY due.expires_at, due.id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) over
      WHERE s.id = over.id RETURNING s.id::text`);
    if (ended.length === 0) return 0;
    const rows = await db.workspaceShare.findMany({
      where: { id: { in: ended.map(({ id }) => id) } },
      select: { ...shareSelect, workspace: { select: { name: true, organizationId: true } } },
    });
    for (const row of rows) {
      await writeAuditRow(db, {
        resource: 'workspace',
        action: 'write',
        resourceId: row.workspaceId,
        target: row.workspace.name,
        organizationId: row.workspace.organizationId,
        userId: null,
        statusCode: 200,
        request: ownRequest(),
        additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'sharing', ...recordOf(row, 'expired') },
      });
    }
    const workspaceIds = [...new Set(rows.map((row) => row.workspaceId))];
    await bus.publishAll(
      db,
      workspaceSharesChannel,
      workspaceIds.map((id) => ({ workspace_id: id })),
    );
    return rows.length;
  });
  if (count > 0) log.info({ count }, 'the time of shares is over');
  return count === AT_ONCE;
}
