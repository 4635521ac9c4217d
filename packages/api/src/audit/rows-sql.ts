import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';

/** One row as `auditRowsSql` answers it. */
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
  readonly user_id: string | null;
  /** The resource as it is now; null when its row is gone, or when its type has none that matters here. */
  readonly resource: AuditedResource | null;
}

export interface AuditedResource {
  readonly deleted: boolean;
  readonly name?: string;
  readonly owner?: string;
  readonly workspace?: string;
  readonly number?: number;
  readonly app_id?: string;
}

/** A person whom rows name, once however many rows do. */
export interface AuditJsonPerson {
  readonly id: string;
  readonly site_roles: readonly string[];
  /** As on the wire, but for the roles. */
  readonly user: Record<string, unknown>;
}

export interface AuditJsonPage {
  /** All rows that pass, on whatever page. */
  readonly count: number;
  /** Newest first. */
  readonly rows: readonly AuditJsonRow[];
  /** Those who did what the rows tell, as far as their accounts are known. */
  readonly people: readonly AuditJsonPerson[];
}

/** The statement for a page: an `AuditJsonPage`. `page` is a statement for its one row `{count, ids}`, the ids in the list's order. */
export function auditRowsSql(page: Prisma.Sql): Prisma.Sql {
  // An array hides from the planner how many ids there might be, so that it looks each one up.
  return Prisma.sql`
    WITH page AS MATERIALIZED (${page}),
    found AS MATERIALIZED (
      SELECT a.*, listed.n FROM page, unnest(page.ids) WITH ORDINALITY AS listed (id, n) JOIN audit_logs a ON a.id = listed.id
    )
    SELECT page.count,
      COALESCE((
        SELECT json_agg(${ROW} ORDER BY a.n) FROM found a LEFT JOIN organizations o ON o.id = a.organization_id
      ), '[]') AS rows,
      COALESCE((
        SELECT json_agg(${PERSON}) FROM users u
        LEFT JOIN (
          SELECT m.user_id, json_agg(m.organization_id ORDER BY m.created_at) AS ids FROM organization_members m
          WHERE m.user_id = ANY(who.ids) GROUP BY m.user_id
        ) memberships ON memberships.user_id = u.id
        WHERE u.id = ANY(who.ids)
      ), '[]') AS people
    FROM page, (SELECT ARRAY(SELECT DISTINCT user_id FROM found WHERE user_id IS NOT NULL) AS ids OFFSET 0) who`;
}

const PERSON = Prisma.sql`json_build_object('id', u.id, 'site_roles', u.site_roles, 'user', json_build_object(
  'id', u.id, 'username', u.username, 'name', u.name, 'email', u.email, 'avatar_url', u.avatar_url,
  'created_at', ${isoSql(Prisma.sql`u.created_at`)}, 'updated_at', ${isoSql(Prisma.sql`u.updated_at`)},
  'last_seen_at', ${isoSql(Prisma.sql`u.last_seen_at`)},
  'login_type', u.login_type, 'status', u.status, 'theme_preference', u.theme_preference,
  'organization_ids', COALESCE(memberships.ids, '[]')
))`;

/** The types whose rows are looked up, and so may turn out to be gone. */
export const LOOKED_UP_TYPES: readonly string[] = [
  'template',
  'user',
  'workspace',
  'workspace_build',
  'group',
  'organization',
  'workspace_proxy',
  'oauth2_provider_app',
  'oauth2_provider_app_secret',
];

/** Only the branch of the row's own type is run. */
const RESOURCE = Prisma.sql`CASE a.resource_type
  WHEN 'template' THEN (SELECT json_build_object('deleted', x.deleted, 'name', x.name) FROM templates x WHERE x.id = a.resource_id)
  WHEN 'user' THEN (SELECT json_build_object('deleted', x.deleted, 'name', x.username) FROM users x WHERE x.id = a.resource_id)
  WHEN 'workspace' THEN (
    SELECT json_build_object('deleted', x.deleted, 'name', x.name, 'owner', y.username)
    FROM workspaces x JOIN users y ON y.id = x.owner_id WHERE x.id = a.resource_id)
  WHEN 'workspace_build' THEN (
    SELECT json_build_object('deleted', x.deleted, 'workspace', x.name, 'owner', y.username, 'number', b.build_number)
    FROM workspace_builds b JOIN workspaces x ON x.id = b.workspace_id JOIN users y ON y.id = x.owner_id WHERE b.id = a.resource_id)
  WHEN 'group' THEN (SELECT json_build_object('deleted', FALSE) FROM groups x WHERE x.id = a.resource_id)
  WHEN 'organization' THEN (SELECT json_build_object('deleted', FALSE) FROM organizations x WHERE x.id = a.resource_id)
  WHEN 'workspace_proxy' THEN (SELECT json_build_object('deleted', x.deleted) FROM workspace_proxies x WHERE x.id = a.resource_id)
  WHEN 'oauth2_provider_app' THEN (
    SELECT json_build_object('deleted', FALSE, 'app_id', x.id) FROM oauth2_provider_apps x WHERE x.id = a.resource_id)
  WHEN 'oauth2_provider_app_secret' THEN (
    SELECT json_build_object('deleted', FALSE, 'app_id', x.app_id) FROM oauth2_provider_app_secrets x WHERE x.id = a.resource_id)
  END`;

const ROW = Prisma.sql`json_build_object(
  'id', a.id, 'time', ${isoSql(Prisma.sql`a.time`)}, 'action', a.action,
  'resource_type', a.resource_type, 'resource_id', a.resource_id, 'resource_target', a.resource_target, 'resource_icon', a.resource_icon,
  'diff', a.diff, 'additional_fields', a.additional_fields, 'ip', a.ip, 'user_agent', a.user_agent, 'request_id', a.request_id,
  'status_code', a.status_code, 'organization_id', a.organization_id,
  'organization', CASE WHEN o.id IS NULL THEN NULL ELSE json_build_object(
    'id', o.id, 'name', o.name, 'display_name', o.display_name, 'icon', o.icon) END,
  'user_id', a.user_id, 'resource', ${RESOURCE}
)`;
