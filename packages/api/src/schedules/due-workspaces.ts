import { Prisma } from '@berth/db';
import { dueRules } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { readScheduleFacts } from './facts.ts';

/** What was refused is tried again after this, by whichever server comes first. Shorter than a turn, so that each turn may try. */
const RETRY_MS = 55_000;

/** Where a turn looks: for what a time in a row makes due, and for autostarts, of which only the domain knows the times. */
export const SOURCES = ['times', 'autostarts'] as const;
export type Source = (typeof SOURCES)[number];

export interface PageAsked {
  readonly source: Source;
  readonly afterId: string;
  /** Workspaces looked at by the statement. */
  readonly limit: number;
}

export interface DuePage {
  /** Workspaces to which something has to happen now. */
  readonly dueIds: readonly string[];
  /** Those and what looked so to the database. */
  readonly examined: number;
  /** The id to go on after; null when this was the last page. */
  readonly nextId: string | null;
}

/** The next page of workspaces to which something has to happen now, by one statement that does not look at those which wait. */
export async function readDuePage({ clock, settings, prisma }: Services, { source, ...page }: PageAsked): Promise<DuePage> {
  const now = clock.now();
  const where = source === 'times' ? dueByTime(now, page.afterId) : withAutostart(now, page.afterId);
  const found = await readScheduleFacts(prisma, { settings, where, limit: page.limit });
  return {
    dueIds: found.filter(({ facts }) => dueRules(facts, now).length > 0).map(({ id }) => id),
    examined: found.length,
    nextId: found.length < page.limit ? null : (found.at(-1)?.id ?? null),
  };
}

/** True of a workspace that nobody tried in vain a moment ago. */
export function isNotTriedSince(now: Date): Prisma.Sql {
  return Prisma.sql`(w.schedule_tried_at IS NULL OR w.schedule_tried_at <= ${instantSql(new Date(now.getTime() - RETRY_MS))})`;
}

/** Stopped workspaces with a schedule, by an index of their own. */
function withAutostart(now: Date, afterId: string): Prisma.Sql {
  return Prisma.sql`w.autostart_schedule IS NOT NULL AND NOT w.is_running AND w.id > ${afterId}::uuid AND w.dormant_at IS NULL
    AND u.status = 'active' AND NOT u.deleted AND t.allow_user_autostart AND b.transition = 'stop' AND j.completed_at IS NOT NULL
    AND j.error = '' AND ${isNotTriedSince(now)}`;
}

/**
 * One part for each other rule of the domain (`SCHEDULE_RULES`), and wider than the rule at most: the domain has the last word. Each part
 * begins at the few rows that may be due, and no order is asked of it, which would make the database walk through all workspaces.
 */
function dueByTime(now: Date, afterId: string): Prisma.Sql {
  const at = instantSql(now);
  const part = (rule: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT w.id FROM workspaces w
    JOIN templates t ON t.id = w.template_id
    JOIN users u ON u.id = w.owner_id
    JOIN workspace_builds b ON b.id = w.latest_build_id
    JOIN provisioner_jobs j ON j.id = b.job_id
    WHERE NOT w.deleted AND j.completed_at IS NOT NULL AND ${isNotTriedSince(now)} AND ${rule}`;
  const after = (start: Prisma.Sql, length: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`${length} > 0 AND ${start} <= ${at} - ${length} * interval '1 millisecond'`;
  return Prisma.sql`w.id IN (
    WITH due AS MATERIALIZED (
      ${part(Prisma.sql`w.is_running AND b.deadline <= ${at}`)}
      UNION ${part(Prisma.sql`(u.deleted OR u.status = 'suspended') AND b.transition = 'start' AND j.error = ''`)}
      UNION ${part(Prisma.sql`NOT w.is_running AND b.transition = 'start' AND j.error <> ''
        AND ${after(Prisma.sql`j.completed_at`, Prisma.sql`t.failure_ttl_ms`)}`)}
      UNION ${part(Prisma.sql`w.dormant_at IS NULL AND ${after(Prisma.sql`w.last_used_at`, Prisma.sql`t.time_til_dormant_ms`)}`)}
      UNION ${part(Prisma.sql`w.dormant_at IS NOT NULL AND (b.transition = 'start'
        OR (w.deleting_at <= ${at} AND t.time_til_dormant_autodelete_ms > 0))`)}
    )
    SELECT id FROM due WHERE id > ${afterId}::uuid)`;
}
