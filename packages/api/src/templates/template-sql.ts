import { notFound } from '@berth/core';
import { Prisma, type Tx } from '@berth/db';
import { WEEKDAYS } from '@berth/domain';
import type { ObjectRef } from '@berth/rbac';
import { templateObject } from '@berth/rbac';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { activeUsersSql } from '../activity/index.ts';
import { instantSql, isoSql } from '../kernel/wire-sql.ts';
import { Acl } from './acl.ts';
import { Template } from './contract.ts';

/** `active_user_count` covers this time. */
const ACTIVE_MS = 7 * 24 * 60 * 60 * 1000;

/** A day mask (bit 0 is Monday) as a JSON array of day names. */
function daysSql(mask: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((
    SELECT json_agg(day ORDER BY bit) FROM unnest(${[...WEEKDAYS]}::text[]) WITH ORDINALITY AS days (day, bit)
    WHERE (${mask} >> (bit - 1)::int) & 1 = 1), '[]'::json)`;
}

/** How long the last builds of each transition took; the newest hundred of each count. */
const BUILD_TIMES = Prisma.sql`(
  SELECT json_object_agg(transition, json_build_object('p50', p50, 'p95', p95)) FROM (
    SELECT kinds.transition,
      round(percentile_cont(0.5) WITHIN GROUP (ORDER BY took.ms))::bigint AS p50,
      round(percentile_cont(0.95) WITHIN GROUP (ORDER BY took.ms))::bigint AS p95
    FROM (VALUES ('start'), ('stop'), ('delete')) AS kinds (transition)
    LEFT JOIN LATERAL (
      SELECT extract(epoch FROM bj.completed_at - bj.started_at) * 1000 AS ms
      FROM workspace_builds b JOIN provisioner_jobs bj ON bj.id = b.job_id
      WHERE b.template_version_id = t.active_version_id AND b.transition = kinds.transition
        AND bj.completed_at IS NOT NULL AND bj.started_at IS NOT NULL AND bj.canceled_at IS NULL AND bj.error = ''
      ORDER BY b.created_at DESC LIMIT 100
    ) took ON TRUE
    GROUP BY kinds.transition
  ) stats)`;

/** The wire form of a template as one `json` expression; needs `t` with its organization `o`, its author `u` and `active_users`. */
const TEMPLATE_JSON = Prisma.sql`json_build_object(
  'id', t.id,
  'created_at', ${isoSql(Prisma.sql`t.created_at`)},
  'updated_at', ${isoSql(Prisma.sql`t.updated_at`)},
  'organization_id', o.id,
  'organization_name', o.name,
  'organization_display_name', o.display_name,
  'organization_icon', o.icon,
  'name', t.name,
  'display_name', t.display_name,
  'description', t.description,
  'icon', t.icon,
  'provisioner', t.provisioner,
  'active_version_id', t.active_version_id,
  'active_user_count', active.users,
  'build_time_stats', ${BUILD_TIMES},
  'created_by_id', t.created_by_id,
  'created_by_name', u.username,
  'deprecated', t.deprecation_message <> '',
  'deprecation_message', t.deprecation_message,
  'default_ttl_ms', t.default_ttl_ms,
  'activity_bump_ms', t.activity_bump_ms,
  'failure_ttl_ms', t.failure_ttl_ms,
  'time_til_dormant_ms', t.time_til_dormant_ms,
  'time_til_dormant_autodelete_ms', t.time_til_dormant_autodelete_ms,
  'autostart_requirement', json_build_object('days_of_week', ${daysSql(Prisma.sql`t.autostart_days_of_week`)}),
  'autostop_requirement', json_build_object(
    'days_of_week', ${daysSql(Prisma.sql`t.autostop_days_of_week`)}, 'weeks', t.autostop_weeks),
  'allow_user_autostart', t.allow_user_autostart,
  'allow_user_autostop', t.allow_user_autostop,
  'allow_user_cancel_workspace_jobs', t.allow_user_cancel_workspace_jobs,
  'require_active_version', t.require_active_version,
  'max_port_share_level', t.max_port_share_level)`;

const Row = z.object({ id: z.string(), organization_id: z.string(), user_acl: Acl, group_acl: Acl, template: Template });
export type TemplateRow = z.output<typeof Row>;

/** The templates that `tail` (WHERE, ORDER BY, LIMIT over `t`, `o` and `active.users`) selects, in one statement. */
export async function readTemplates(db: Tx, services: Services, tail: Prisma.Sql): Promise<TemplateRow[]> {
  const activeSince = instantSql(new Date(services.clock.now().getTime() - ACTIVE_MS));
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT t.id, t.organization_id, t.user_acl, t.group_acl, ${TEMPLATE_JSON} AS template
    FROM templates t
    JOIN organizations o ON o.id = t.organization_id
    JOIN users u ON u.id = t.created_by_id
    CROSS JOIN LATERAL (
      SELECT ${activeUsersSql(Prisma.sql`template_id = t.id AND start_time >= ${activeSince}`)} AS users
    ) active
    ${tail}`);
  return rows.map((row) => Row.parse(row));
}

/** The one template that `where` selects. The caller must authorise. @throws notFound */
export async function readTemplate(db: Tx, services: Services, where: Prisma.Sql): Promise<TemplateRow> {
  const [row] = await readTemplates(db, services, Prisma.sql`WHERE NOT t.deleted AND ${where} LIMIT 1`);
  if (row === undefined) throw notFound();
  return row;
}

export function templateObjectOf(row: Omit<TemplateRow, 'template'>): ObjectRef {
  return templateObject({ id: row.id, organizationId: row.organization_id, userAcl: row.user_acl, groupAcl: row.group_acl });
}
