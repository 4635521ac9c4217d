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
    const changes = page.flatMap((workspace) => changesOf(workspace, now));
    await storeDeadlines(db, changes, now);
    const news = changes.map(({ workspace }) => ({ workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'deadline' }));
    await services.bus.publishAll(db, workspaceChannel, news);
    moved += changes.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return moved;
    afterId = last.id;
  }
}

interface Change {
  readonly workspace: ScheduledWorkspace;
  readonly deadlines: Deadlines;
}

function changesOf(workspace: ScheduledWorkspace, now: Date): readonly Change[] {
  const { facts } = workspace;
  const { build } = facts;
  if (build?.transition !== 'start' || build.status !== 'succeeded' || build.completedAt === null) return [];
  const deadlines = recomputedDeadlines({ ...deadlineFacts(facts), ...build, completedAt: build.completedAt, now });
  return deadlines === null ? [] : [{ workspace, deadlines }];
}

async function storeDeadlines(db: Tx, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ workspace: { buildId }, deadlines: { deadline, deadlineRule, maxDeadline } }) => ({
    id: buildId,
    deadline,
    rule: deadlineRule,
    max_deadline: maxDeadline,
  }));
  await db.$executeRaw(Prisma.sql`
    UPDATE workspace_builds b SET deadline = n.deadline, deadline_rule = n.rule, max_deadline = n.max_deadline, updated_at = ${instantSql(now)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (id uuid, deadline timestamptz, rule text, max_deadline timestamptz)
    WHERE b.id = n.id`);
}
