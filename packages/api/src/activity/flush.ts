import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { bumpedDeadline, deadlineFacts } from '@berth/domain';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import type { ScheduledWorkspace } from '../schedules/index.ts';
import { readScheduleFacts } from '../schedules/index.ts';
import type { MinuteOfUse } from './activity.ts';

/** Uses written by one transaction. */
const BATCH = 500;

/**
 * Writes what was noted since the last time: when each workspace was used last, later deadlines where the template wants activity to
 * move them, and the minutes of use. Answers how many uses it wrote. The number of statements depends on neither uses nor workspaces.
 */
export async function flushActivity(services: Services): Promise<number> {
  let written = 0;
  for (;;) {
    const { uses, back } = services.activity.take(BATCH);
    if (uses.length === 0) return written;
    try {
      await services.prisma.$transaction((db) => writeUses(db, services, uses));
    } catch (error) {
      back();
      throw error;
    }
    written += uses.length;
  }
}

async function writeUses(db: Tx, services: Services, uses: readonly MinuteOfUse[]): Promise<void> {
  const ids = [...new Set(uses.map(({ workspaceId }) => workspaceId))];
  // In one order on all servers, so that they wait for each other instead of standing in each other's way.
  await db.$queryRaw`SELECT 1 FROM workspaces WHERE id = ANY(${ids}::uuid[]) AND NOT deleted ORDER BY id FOR UPDATE`;
  const workspaces = await readScheduleFacts(db, {
    settings: services.settings,
    where: Prisma.sql`w.id = ANY(${ids}::uuid[])`,
    limit: BATCH,
  });
  const now = services.clock.now();
  await db.$executeRaw(Prisma.sql`
    UPDATE workspaces SET last_used_at = ${instantSql(now)} WHERE id = ANY(${ids}::uuid[]) AND NOT deleted AND last_used_at < ${instantSql(now)}`);
  await bumpDeadlines(db, services, workspaces);
  const templateOf = new Map(workspaces.map(({ id, templateId }) => [id, templateId]));
  for (const [minute, ofMinute] of byMinute(uses)) await countMinute(db, minute, ofMinute, templateOf);
}

async function bumpDeadlines(db: Tx, services: Services, workspaces: readonly ScheduledWorkspace[]): Promise<void> {
  const now = services.clock.now();
  const bumps = workspaces.flatMap(({ id, ownerId, buildId, facts }) => {
    const { build, template } = facts;
    if (buildId === null || build?.transition !== 'start' || build.status !== 'succeeded') return [];
    const bumped = bumpedDeadline({ ...deadlineFacts(facts), ...build, activityBumpMs: template.activityBumpMs, now });
    return bumped === null ? [] : [{ id, ownerId, buildId, ...bumped }];
  });
  if (bumps.length === 0) return;
  const buildIds = bumps.map(({ buildId }) => buildId);
  const deadlines = bumps.map(({ deadline }) => deadline?.toISOString() ?? null);
  const rules = bumps.map(({ deadlineRule }) => deadlineRule);
  await db.$executeRaw(Prisma.sql`
    UPDATE workspace_builds b SET deadline = bumped.deadline, deadline_rule = bumped.rule, updated_at = ${instantSql(now)}
    FROM unnest(${buildIds}::uuid[], ${deadlines}::timestamptz[], ${rules}::text[]) AS bumped(id, deadline, rule)
    WHERE b.id = bumped.id`);
  const events = bumps.map(({ id, ownerId }) => ({ workspace_id: id, owner_id: ownerId, kind: 'deadline' }));
  await services.bus.publishAll(db, workspaceChannel, events);
}

/** The uses of each minute, the earliest first: a minute after the last one that was counted counts once, an earlier one never. */
function byMinute(uses: readonly MinuteOfUse[]): readonly (readonly [Date, readonly MinuteOfUse[]])[] {
  const minutes = Map.groupBy(uses, ({ minute }) => minute.getTime());
  return [...minutes].toSorted(([a], [b]) => a - b).map(([minute, ofMinute]) => [new Date(minute), ofMinute] as const);
}

/** Adds one minute to the half hour of each template, user and app, and to that of use of any kind: apps that are used at once are one use. */
async function countMinute(db: Tx, minute: Date, uses: readonly MinuteOfUse[], templateOf: ReadonlyMap<string, string>): Promise<void> {
  // A workspace that was deleted meanwhile has no template any more.
  const known = uses.flatMap(({ workspaceId, userId, app }) => {
    const templateId = templateOf.get(workspaceId);
    return templateId === undefined ? [] : [...new Set([app, ''])].map((counted) => ({ templateId, userId, app: counted }));
  });
  if (known.length === 0) return;
  await db.$executeRaw(Prisma.sql`
    INSERT INTO template_usage_buckets AS bucket (start_time, template_id, user_id, app, minutes, last_minute)
    SELECT DISTINCT date_bin('30 minutes', ${instantSql(minute)}, 'epoch'::timestamptz), used.template_id, used.user_id, used.app, 1,
      ${instantSql(minute)}
    FROM unnest(${known.map(({ templateId }) => templateId)}::uuid[], ${known.map(({ userId }) => userId)}::uuid[],
      ${known.map(({ app }) => app)}::text[]) AS used(template_id, user_id, app)
    ORDER BY used.template_id, used.user_id, used.app
    ON CONFLICT (start_time, template_id, user_id, app) DO UPDATE
      SET minutes = LEAST(30, bucket.minutes + 1), last_minute = excluded.last_minute
      WHERE bucket.last_minute < excluded.last_minute`);
}
