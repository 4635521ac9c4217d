import { Prisma } from '@berth/db';
import { resourcesJson } from '../agents/agent-sql.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import { jobSql } from '../provisioner-jobs/index.ts';

const at = (column: string): Prisma.Sql => isoSql(Prisma.raw(column));

/**
 * `RawBuild` as one `json` expression. In scope: the build as `b`, its job as `j`, its version as `v`, its initiator as `i`, its
 * workspace as `w` and the workspace's owner as `o`; `BUILD_JOINS` joins all but `b` and `w`.
 */
export const BUILD_JSON = buildJson({ withResources: true });

/** `BUILD_JSON`, or the same without its resources: of many builds at once, `flatResourcesSql` answers these at a fraction of the cost. */
export function buildJson({ withResources }: { readonly withResources: boolean }): Prisma.Sql {
  const resources = withResources ? Prisma.sql`, 'resources', ${resourcesJson(Prisma.raw('b.job_id'))}` : Prisma.empty;
  return Prisma.sql`json_build_object(
  'id', b.id,
  'build_number', b.build_number,
  'created_at', ${at('b.created_at')},
  'updated_at', ${at('b.updated_at')},
  'deadline', ${at('b.deadline')},
  'max_deadline', ${at('b.max_deadline')},
  'daily_cost', b.daily_cost,
  'initiator_id', b.initiator_id,
  'initiator_name', i.username,
  'job', ${jobSql('j')},
  'reason', b.reason,
  'transition', b.transition,
  'template_version_id', b.template_version_id,
  'template_version_name', v.name,
  'workspace_id', w.id,
  'workspace_name', w.name,
  'workspace_owner_id', w.owner_id,
  'workspace_owner_name', o.username,
  'workspace_owner_avatar_url', o.avatar_url${resources})`;
}

export const BUILD_JOINS = Prisma.sql`
  JOIN provisioner_jobs j ON j.id = b.job_id
  JOIN template_versions v ON v.id = b.template_version_id
  JOIN users i ON i.id = b.initiator_id
  JOIN users o ON o.id = w.owner_id`;
