import { Prisma } from '@berth/db';
import type { ScheduleRule } from '@berth/domain';
import { dueRules } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { readScheduleFacts } from './facts.ts';

/** What was refused is tried again after this, by whichever server comes first. Shorter than a turn, so that each turn may try. */
const RETRY_MS = 55_000;

export interface PageAsked {
  readonly afterId: string;
  /** Workspaces looked at by the statement. */
  readonly limit: number;
}

export interface DuePage {
  readonly due: readonly { readonly id: string; readonly rules: readonly ScheduleRule[] }[];
  readonly examined: number;
  /** The id to go on after; null when this was the last page. */
  readonly nextId: string | null;
}

/**
 * The next page of workspaces to which something may have to happen now, and of those the ones to which it has. One statement, whose
 * parts each have an index of their own; only whether a schedule is due is decided here, since it speaks of wall clocks.
 */
export async function readDuePage(services: Services, page: PageAsked): Promise<DuePage> {
  const { clock, settings, prisma } = services;
  const now = clock.now();
  const found = await readScheduleFacts(prisma, { settings, where: candidates(now, page), limit: page.limit });
  const due = found.map(({ id, facts }) => ({ id, rules: dueRules(facts, now) })).filter(({ rules }) => rules.length > 0);
  return { due, examined: found.length, nextId: found.length < page.limit ? null : (found.at(-1)?.id ?? null) };
}

/** True of a workspace that nobody tried in vain a moment ago. */
export function isNotTriedSince(now: Date): Prisma.Sql {
  return Prisma.sql`(w.schedule_tried_at IS NULL OR w.schedule_tried_at <= ${instantSql(new Date(now.getTime() - RETRY_MS))})`;
}

/** One part for each rule of the domain (`SCHEDULE_RULES`), and wider than the rule at most: the domain has the last word. */
function candidates(now: Date, { afterId, limit }: PageAsked): Prisma.Sql {
  const at = instantSql(now);
  const part = (rule: Prisma.Sql): Prisma.Sql => Prisma.sql`
    (SELECT w.id FROM workspaces w
      JOIN templates t ON t.id = w.template_id
      JOIN users u ON u.id = w.owner_id
      JOIN workspace_builds b ON b.id = w.latest_build_id
      JOIN provisioner_jobs j ON j.id = b.job_id
      WHERE NOT w.deleted AND w.id > ${afterId}::uuid AND j.completed_at IS NOT NULL AND ${isNotTriedSince(now)} AND ${rule}
      ORDER BY w.id LIMIT ${limit})`;
  const after = (start: Prisma.Sql, length: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`${length} > 0 AND ${start} <= ${at} - ${length} * interval '1 millisecond'`;
  return Prisma.sql`w.id IN (
    ${part(Prisma.sql`w.is_running AND b.deadline <= ${at}`)}
    UNION ${part(Prisma.sql`(u.deleted OR u.status = 'suspended') AND b.transition = 'start' AND j.error = ''`)}
    UNION ${part(Prisma.sql`w.autostart_schedule IS NOT NULL AND NOT w.is_running AND w.dormant_at IS NULL AND u.status = 'active'
      AND NOT u.deleted AND t.allow_user_autostart AND b.transition = 'stop' AND j.error = ''`)}
    UNION ${part(Prisma.sql`NOT w.is_running AND b.transition = 'start' AND j.error <> '' AND ${after(Prisma.sql`j.completed_at`, Prisma.sql`t.failure_ttl_ms`)}`)}
    UNION ${part(Prisma.sql`w.dormant_at IS NULL AND ${after(Prisma.sql`w.last_used_at`, Prisma.sql`t.time_til_dormant_ms`)}`)}
    UNION ${part(Prisma.sql`w.dormant_at IS NOT NULL AND (b.transition = 'start'
      OR (w.deleting_at <= ${at} AND t.time_til_dormant_autodelete_ms > 0))`)})`;
}
