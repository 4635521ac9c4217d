import { notFound } from '@berth/core';
import { Prisma, type Tx } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { templateObject } from '@berth/rbac';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { instantSql, isoSql } from '../kernel/wire-sql.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import { jobSql } from '../provisioner-jobs/status-sql.ts';
import { tagsMatchSql } from '../provisioner-jobs/tags-sql.ts';
import { Acl } from '../templates/acl.ts';
import { TemplateVersion } from './contract.ts';

/** What the permission rules need to know of a version, from the columns that `JUDGED_COLUMNS` selects. */
export const JudgedVersion = z.object({
  organization_id: z.string(),
  template_id: z.string().nullable(),
  user_acl: Acl.nullable(),
  group_acl: Acl.nullable(),
});

/** Needs `template_versions v` left-joined with `templates t`. */
export const JUDGED_COLUMNS = Prisma.sql`v.organization_id, v.template_id, t.user_acl, t.group_acl`;

/** A version is judged as its template; one without a template as any template of its organization. */
export function versionObject(row: z.output<typeof JudgedVersion>): ObjectRef {
  return templateObject({
    organizationId: row.organization_id,
    ...(row.template_id === null ? {} : { id: row.template_id, userAcl: row.user_acl ?? {}, groupAcl: row.group_acl ?? {} }),
  });
}

/** The wire form of a version as one `jsonb` expression; needs `v` with its job `j` and its author `u`. */
function versionSql(now: Date): Prisma.Sql {
  const staleAt = instantSql(new Date(now.getTime() - DAEMON_STALE_MS));
  return Prisma.sql`jsonb_build_object(
    'id', v.id,
    'template_id', v.template_id,
    'organization_id', v.organization_id,
    'created_at', ${isoSql(Prisma.sql`v.created_at`)},
    'updated_at', ${isoSql(Prisma.sql`v.updated_at`)},
    'name', v.name,
    'message', v.message,
    'job', ${jobSql('j')},
    'readme', v.readme,
    'created_by', jsonb_build_object('id', u.id, 'username', u.username, 'avatar_url', u.avatar_url),
    'archived', v.archived,
    'warnings', '[]'::jsonb,
    'matched_provisioners', (
      SELECT jsonb_build_object('count', count(*), 'available', count(*) FILTER (WHERE d.last_seen_at >= ${staleAt}),
        'most_recently_seen', ${isoSql(Prisma.sql`max(d.last_seen_at)`)})
      FROM provisioner_daemons d
      WHERE d.organization_id = j.organization_id AND j.provisioner = ANY (d.provisioners)
        AND ${tagsMatchSql(Prisma.sql`j.tags`, Prisma.sql`d.tags`)}
    ))`;
}

const Row = JudgedVersion.extend({ version: TemplateVersion });
export type VersionRow = z.output<typeof Row>;

/** The versions that `tail` (WHERE, ORDER BY, LIMIT over `v` and `t`) selects, in one statement. */
export async function readVersions(db: Tx, services: Services, tail: Prisma.Sql): Promise<VersionRow[]> {
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${JUDGED_COLUMNS}, ${versionSql(services.clock.now())} AS version
    FROM template_versions v
    JOIN provisioner_jobs j ON j.id = v.job_id
    JOIN users u ON u.id = v.created_by_id
    LEFT JOIN templates t ON t.id = v.template_id
    ${tail}`);
  return rows.map((row) => Row.parse(row));
}

/** One version with what judges it. The caller must authorise. @throws notFound */
export async function readVersion(db: Tx, services: Services, id: string): Promise<VersionRow> {
  const [row] = await readVersions(db, services, Prisma.sql`WHERE v.id = ${id}::uuid`);
  if (row === undefined) throw notFound();
  return row;
}
