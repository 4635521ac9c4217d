import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { ScheduleFacts } from '@berth/domain';
import { AUTOMATIC_UPDATES, DEADLINE_RULES, TRANSITIONS, USER_STATUSES, effectiveQuietHours, jobStatus } from '@berth/domain';
import { z } from 'zod';
import type { Settings } from '../kernel/context.ts';

const FactsRow = z.object({
  id: z.string(),
  name: z.string(),
  owner_id: z.string(),
  owner_username: z.string(),
  organization_id: z.string(),
  template_id: z.string(),
  schedule_problem: z.string(),
  owner_status: z.enum(USER_STATUSES),
  quiet_hours_schedule: z.string(),
  ttl_ms: z.number().nullable(),
  autostart_schedule: z.string().nullable(),
  autostart_since: z.date().nullable(),
  automatic_updates: z.enum(AUTOMATIC_UPDATES),
  last_used_at: z.date(),
  dormant_at: z.date().nullable(),
  deleting_at: z.date().nullable(),
  default_ttl_ms: z.number(),
  activity_bump_ms: z.number(),
  failure_ttl_ms: z.number(),
  time_til_dormant_ms: z.number(),
  time_til_dormant_autodelete_ms: z.number(),
  autostop_days_of_week: z.number(),
  autostop_weeks: z.number(),
  autostart_days_of_week: z.number(),
  allow_user_autostart: z.boolean(),
  allow_user_autostop: z.boolean(),
  require_active_version: z.boolean(),
  build_id: z.string().nullable(),
  transition: z.enum(TRANSITIONS).nullable(),
  build_created_at: z.date().nullable(),
  deadline: z.date().nullable(),
  deadline_rule: z.enum(DEADLINE_RULES).nullable(),
  max_deadline: z.date().nullable(),
  started_at: z.date().nullable(),
  completed_at: z.date().nullable(),
  canceled_at: z.date().nullable(),
  error: z.string().nullable(),
});
type FactsRow = z.output<typeof FactsRow>;

/** A workspace with all that its schedule depends on. */
export interface ScheduledWorkspace {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly ownerUsername: string;
  readonly organizationId: string;
  readonly templateId: string;
  /** The latest; null while there is none. */
  readonly buildId: string | null;
  /** Why the last thing that the schedule was to do did not happen; empty while nothing is wrong. */
  readonly problem: string;
  readonly facts: ScheduleFacts;
}

export interface FactsQuery {
  readonly settings: Pick<Settings, 'quietHoursDefault' | 'allowCustomQuietHours'>;
  /** On `w`, the workspace; `t` its template, `u` its owner, `b` its latest build, `j` that build's job. */
  readonly where: Prisma.Sql;
  readonly limit: number;
}

/** The workspaces that are not deleted and fit `where`, by id, in one statement. */
export async function readScheduleFacts(db: Tx, { settings, where, limit }: FactsQuery): Promise<readonly ScheduledWorkspace[]> {
  const rows = await db.$queryRaw(Prisma.sql`
    SELECT w.id::text, w.name, w.owner_id::text, u.username AS owner_username, w.organization_id::text, w.template_id::text,
      w.schedule_problem, CASE WHEN u.deleted THEN 'suspended' ELSE u.status END AS owner_status, u.quiet_hours_schedule,
      w.ttl_ms::float8, w.autostart_schedule, w.autostart_since, w.automatic_updates, w.last_used_at, w.dormant_at, w.deleting_at,
      t.default_ttl_ms::float8, t.activity_bump_ms::float8, t.failure_ttl_ms::float8, t.time_til_dormant_ms::float8,
      t.time_til_dormant_autodelete_ms::float8, t.autostop_days_of_week, t.autostop_weeks, t.autostart_days_of_week,
      t.allow_user_autostart, t.allow_user_autostop, t.require_active_version,
      b.id::text AS build_id, b.transition, b.created_at AS build_created_at, b.deadline, b.deadline_rule, b.max_deadline,
      j.started_at, j.completed_at, j.canceled_at, j.error
    FROM workspaces w
    JOIN templates t ON t.id = w.template_id
    JOIN users u ON u.id = w.owner_id
    LEFT JOIN workspace_builds b ON b.id = w.latest_build_id
    LEFT JOIN provisioner_jobs j ON j.id = b.job_id
    WHERE NOT w.deleted AND (${where})
    ORDER BY w.id
    LIMIT ${limit}`);
  return z
    .array(FactsRow)
    .parse(rows)
    .map((row) => scheduled(row, settings));
}

/** One workspace with all that its schedule depends on; null if there is none, or it is deleted. */
export async function scheduleFacts(db: Tx, settings: FactsQuery['settings'], workspaceId: string): Promise<ScheduledWorkspace | null> {
  const [found] = await readScheduleFacts(db, { settings, where: Prisma.sql`w.id = ${workspaceId}::uuid`, limit: 1 });
  return found ?? null;
}

export interface TemplatePage {
  readonly templateId: string;
  /** The last id of the page before; null for the first. */
  readonly afterId: string | null;
  readonly limit: number;
}

/** The workspaces of a template with all that their schedules depend on, by id, a page at a time. */
export async function scheduleFactsOfTemplate(
  db: Tx,
  settings: FactsQuery['settings'],
  { templateId, afterId, limit }: TemplatePage,
): Promise<readonly ScheduledWorkspace[]> {
  const isAfter = afterId === null ? Prisma.sql`true` : Prisma.sql`w.id > ${afterId}::uuid`;
  return readScheduleFacts(db, { settings, where: Prisma.sql`w.template_id = ${templateId}::uuid AND ${isAfter}`, limit });
}

function scheduled(row: FactsRow, settings: FactsQuery['settings']): ScheduledWorkspace {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    ownerUsername: row.owner_username,
    organizationId: row.organization_id,
    templateId: row.template_id,
    buildId: row.build_id,
    problem: row.schedule_problem,
    facts: {
      ownerStatus: row.owner_status,
      quietHours: quietHoursOf(row.quiet_hours_schedule, settings),
      workspace: {
        ttlMs: row.ttl_ms,
        autostartSchedule: row.autostart_schedule,
        autostartSince: row.autostart_since,
        automaticUpdates: row.automatic_updates,
        lastUsedAt: row.last_used_at,
        dormantAt: row.dormant_at,
        deletingAt: row.deleting_at,
      },
      template: {
        defaultTtlMs: row.default_ttl_ms,
        activityBumpMs: row.activity_bump_ms,
        failureTtlMs: row.failure_ttl_ms,
        timeTilDormantMs: row.time_til_dormant_ms,
        timeTilDormantAutodeleteMs: row.time_til_dormant_autodelete_ms,
        autostopRequirement: { daysOfWeek: row.autostop_days_of_week, weeks: row.autostop_weeks },
        autostartDaysOfWeek: row.autostart_days_of_week,
        allowUserAutostart: row.allow_user_autostart,
        allowUserAutostop: row.allow_user_autostop,
        requireActiveVersion: row.require_active_version,
      },
      build: buildOf(row),
    },
  };
}

/** The quiet hours that count for a user who stored `own`. */
function quietHoursOf(own: string, settings: FactsQuery['settings']) {
  return effectiveQuietHours({ own: settings.allowCustomQuietHours ? own : '', deployment: settings.quietHoursDefault });
}

function buildOf(row: FactsRow): ScheduleFacts['build'] {
  if (row.transition === null || row.build_created_at === null) return null;
  return {
    transition: row.transition,
    status: jobStatus({ startedAt: row.started_at, completedAt: row.completed_at, canceledAt: row.canceled_at, error: row.error }),
    createdAt: row.build_created_at,
    completedAt: row.completed_at,
    deadline: row.deadline,
    deadlineRule: row.deadline_rule ?? '',
    maxDeadline: row.max_deadline,
  };
}
