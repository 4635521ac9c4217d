import { Prisma } from '@berth/db';
import { BUILD_JOINS, buildJson } from '../builds/build-sql.ts';
import { isoSql } from '../kernel/wire-sql.ts';

const at = (column: string): Prisma.Sql => isoSql(Prisma.raw(column));

export interface WorkspaceJsonOptions {
  /** Only the owner sees their own favorites. */
  readonly callerId: string;
  readonly allowRenames: boolean;
  /** Whether the latest build has its resources; true unless told otherwise. */
  readonly withResources?: boolean;
}

/** `RawWorkspace` as one `json` expression; `WORKSPACE_JOINS` brings everything it reads, given the workspace as `w`. */
export function workspaceJson({ callerId, allowRenames, withResources = true }: WorkspaceJsonOptions): Prisma.Sql {
  return Prisma.sql`json_build_object(
  'id', w.id,
  'name', w.name,
  'created_at', ${at('w.created_at')},
  'updated_at', ${at('w.updated_at')},
  'last_used_at', ${at('w.last_used_at')},
  'organization_id', w.organization_id,
  'organization_name', org.name,
  'owner_id', w.owner_id,
  'owner_name', o.username,
  'owner_avatar_url', o.avatar_url,
  'template_id', w.template_id,
  'template_name', t.name,
  'template_display_name', t.display_name,
  'template_icon', t.icon,
  'template_active_version_id', t.active_version_id,
  'template_allow_user_cancel_workspace_jobs', t.allow_user_cancel_workspace_jobs,
  'template_require_active_version', t.require_active_version,
  'allow_renames', ${allowRenames}::boolean,
  'automatic_updates', w.automatic_updates,
  'autostart_schedule', w.autostart_schedule,
  'ttl_ms', CASE WHEN t.allow_user_autostop THEN w.ttl_ms ELSE NULLIF(t.default_ttl_ms, 0) END,
  'favorite', w.favorite AND w.owner_id = ${callerId}::uuid,
  'outdated', b.template_version_id <> t.active_version_id,
  'dormant_at', ${at('w.dormant_at')},
  'deleting_at', ${at('w.deleting_at')},
  'latest_build', ${buildJson({ withResources })})`;
}

export const WORKSPACE_JOINS = Prisma.sql`
  JOIN organizations org ON org.id = w.organization_id
  JOIN templates t ON t.id = w.template_id
  JOIN workspace_builds b ON b.id = w.latest_build_id
  ${BUILD_JOINS}`;
