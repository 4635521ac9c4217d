import { NIL_UUID } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { Deadlines } from '@berth/domain';
import { deadlineFacts, recomputedDeadlines } from '@berth/domain';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import type { ScheduledWorkspace } from './facts.ts';
import { readScheduleFacts } from './facts.ts';

const PAGE = 200;

/**
 * Moves the deadlines of a template's running workspaces to where its new schedule puts them, and says how many it moved. The caller
 * holds the template and its workspaces; a start that completes meanwhile waits for the template.
 */
export async function recomputeDeadlines(db: Tx, services: Services, templateId: string): Promise<number> {
  const { settings } = services;
  const now = services.clock.now();
  let moved = 0;
  let afterId: string = NIL_UUID;
  for (;;) {
    const page = await readScheduleFacts(db, {
      settings,
      where: Prisma.sql`w.template_id = ${templateId}::uuid AND w.is_running AND w.id > ${afterId}::uuid`,
      limit: PAGE,
    });
    const changes = page.flatMap((workspace) => {
      const deadlines = newDeadlines(workspace, now);
      return deadlines === null ? [] : [{ workspace, deadlines }];
    });
    for (const { workspace, deadlines } of changes) {
      await storeDeadlines(db, { buildId: workspace.buildId, deadlines, now });
    }
    const news = changes.map(({ workspace }) => ({ workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'deadline' }));
    await services.bus.publishAll(db, workspaceChannel, news);
    moved += changes.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return moved;
    afterId = last.id;
  }
}

function newDeadlines({ facts }: ScheduledWorkspace, now: Date): Deadlines | null {
  const { build } = facts;
  if (build?.transition !== 'start' || build.status !== 'succeeded' || build.completedAt === null) return null;
  return recomputedDeadlines({ ...deadlineFacts(facts), ...build, completedAt: build.completedAt, now });
}

async function storeDeadlines(
  db: Tx,
  { buildId, deadlines, now }: { buildId: string | null; deadlines: Deadlines; now: Date },
): Promise<void> {
  const { deadline, deadlineRule, maxDeadline } = deadlines;
  await db.$executeRaw(Prisma.sql`
    UPDATE workspace_builds SET deadline = ${orNull(deadline)}, deadline_rule = ${deadlineRule}, max_deadline = ${orNull(maxDeadline)},
      updated_at = ${instantSql(now)}
    WHERE id = ${buildId}::uuid`);
}

function orNull(time: Date | null): Prisma.Sql {
  return time === null ? Prisma.sql`NULL::timestamptz` : instantSql(time);
}
