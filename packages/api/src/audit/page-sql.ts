import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';
import { countSql } from './counts.ts';
import type { AuditFilter } from './filter.ts';
import { filterSql } from './filter.ts';

/** A place in the list: right after the row with this time and id. */
export interface AuditCursor {
  /** As on the wire, to the microsecond. */
  readonly time: string;
  readonly id: string;
}

export interface AuditWindow {
  readonly limit: number;
  readonly offset: number;
  readonly after: AuditCursor | null;
}

/** One row as `auditPageSql` answers it. */
export interface AuditJsonRow {
  readonly id: string;
  readonly time: string;
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly resource_target: string;
  readonly resource_icon: string;
  readonly diff: Record<string, unknown>;
  readonly additional_fields: Record<string, unknown>;
  readonly ip: string;
  readonly user_agent: string;
  readonly request_id: string;
  readonly status_code: number;
  readonly organization_id: string | null;
  readonly organization: { id: string; name: string; display_name: string; icon: string } | null;
  readonly user: Record<string, unknown> | null;
  readonly site_roles: readonly string[] | null;
  readonly is_deleted: boolean;
  /** What the dashboard's path to the resource needs, as it is named now. */
  readonly link: { name?: string; owner?: string; workspace?: string; number?: number; app_id?: string } | null;
}

/**
 * One statement for a page and its total: `{count, rows}`. The page is cut from an index in its own order, without touching the table,
 * and joined only then.
 */
export function auditPageSql(filter: AuditFilter, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const place = after === null ? Prisma.empty : Prisma.sql`AND (a.time, a.id) < (${after.time}::timestamptz, ${after.id}::uuid)`;
  return Prisma.sql`
    SELECT ${countSql(filter)}::int AS count, COALESCE((
      SELECT json_agg(${ROW} ORDER BY a.time DESC, a.id DESC)
      FROM (
        SELECT a.id FROM audit_logs a WHERE ${filterSql(filter)} ${place}
        ORDER BY a.time DESC, a.id DESC LIMIT ${limit} OFFSET ${offset}
      ) page
      JOIN audit_logs a ON a.id = page.id
      LEFT JOIN organizations o ON o.id = a.organization_id
      LEFT JOIN users u ON u.id = a.user_id
    ), '[]') AS rows`;
}

const USER = Prisma.sql`CASE WHEN u.id IS NULL THEN NULL ELSE json_build_object(
  'id', u.id, 'username', u.username, 'name', u.name, 'email', u.email, 'avatar_url', u.avatar_url,
  'created_at', ${isoSql(Prisma.sql`u.created_at`)}, 'updated_at', ${isoSql(Prisma.sql`u.updated_at`)},
  'last_seen_at', ${isoSql(Prisma.sql`u.last_seen_at`)},
  'login_type', u.login_type, 'status', u.status, 'theme_preference', u.theme_preference,
  'organization_ids', COALESCE(
    (SELECT json_agg(m.organization_id ORDER BY m.created_at) FROM organization_members m WHERE m.user_id = u.id), '[]')
) END`;

/** Whether the thing is gone; false for things that do not end. Only the branch of the row's own type is run. */
const IS_DELETED = Prisma.sql`CASE a.resource_type
  WHEN 'template' THEN NOT EXISTS (SELECT 1 FROM templates x WHERE x.id = a.resource_id AND NOT x.deleted)
  WHEN 'user' THEN NOT EXISTS (SELECT 1 FROM users x WHERE x.id = a.resource_id AND NOT x.deleted)
  WHEN 'workspace' THEN NOT EXISTS (SELECT 1 FROM workspaces x WHERE x.id = a.resource_id AND NOT x.deleted)
  WHEN 'workspace_build' THEN NOT EXISTS (
    SELECT 1 FROM workspace_builds b JOIN workspaces x ON x.id = b.workspace_id WHERE b.id = a.resource_id AND NOT x.deleted)
  WHEN 'group' THEN NOT EXISTS (SELECT 1 FROM groups x WHERE x.id = a.resource_id)
  WHEN 'organization' THEN NOT EXISTS (SELECT 1 FROM organizations x WHERE x.id = a.resource_id)
  WHEN 'oauth2_provider_app' THEN NOT EXISTS (SELECT 1 FROM oauth2_provider_apps x WHERE x.id = a.resource_id)
  WHEN 'oauth2_provider_app_secret' THEN NOT EXISTS (SELECT 1 FROM oauth2_provider_app_secrets x WHERE x.id = a.resource_id)
  ELSE FALSE END`;

const LINK = Prisma.sql`CASE a.resource_type
  WHEN 'template' THEN (SELECT json_build_object('name', x.name) FROM templates x WHERE x.id = a.resource_id)
  WHEN 'user' THEN (SELECT json_build_object('name', x.username) FROM users x WHERE x.id = a.resource_id)
  WHEN 'workspace' THEN (
    SELECT json_build_object('name', x.name, 'owner', y.username)
    FROM workspaces x JOIN users y ON y.id = x.owner_id WHERE x.id = a.resource_id)
  WHEN 'workspace_build' THEN (
    SELECT json_build_object('workspace', x.name, 'owner', y.username, 'number', b.build_number)
    FROM workspace_builds b JOIN workspaces x ON x.id = b.workspace_id JOIN users y ON y.id = x.owner_id WHERE b.id = a.resource_id)
  WHEN 'oauth2_provider_app' THEN json_build_object('app_id', a.resource_id)
  WHEN 'oauth2_provider_app_secret' THEN (
    SELECT json_build_object('app_id', x.app_id) FROM oauth2_provider_app_secrets x WHERE x.id = a.resource_id)
  END`;

const ROW = Prisma.sql`json_build_object(
  'id', a.id, 'time', ${isoSql(Prisma.sql`a.time`)}, 'action', a.action,
  'resource_type', a.resource_type, 'resource_id', a.resource_id, 'resource_target', a.resource_target, 'resource_icon', a.resource_icon,
  'diff', a.diff, 'additional_fields', a.additional_fields, 'ip', a.ip, 'user_agent', a.user_agent, 'request_id', a.request_id,
  'status_code', a.status_code, 'organization_id', a.organization_id,
  'organization', CASE WHEN o.id IS NULL THEN NULL ELSE json_build_object(
    'id', o.id, 'name', o.name, 'display_name', o.display_name, 'icon', o.icon) END,
  'user', ${USER}, 'site_roles', u.site_roles, 'is_deleted', ${IS_DELETED}, 'link', ${LINK}
)`;
