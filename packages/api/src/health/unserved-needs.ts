import { Prisma } from '@berth/db';
import { PROVISIONER_TYPES, unservedReason } from '@berth/domain';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { coverageSql } from '../provisioner-jobs/coverage-sql.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';

const MAX_NEEDS = 20;

/** A driver with tags that templates of an organization need and no connected daemon of it has. */
export interface UnservedNeed {
  readonly organization: string;
  /** One of the templates, and how many others need the same. */
  readonly template: string;
  readonly others: number;
  readonly reason: string;
}

const Rows = z.array(
  z.object({
    organization: z.string(),
    template: z.string(),
    others: z.int(),
    provisioner: z.enum(PROVISIONER_TYPES),
    is_served: z.boolean(),
    has_driver: z.boolean(),
  }),
);

/** What the active versions of templates need and no connected daemon offers, in organizations that have daemons. One statement. */
export async function readUnservedNeeds(services: Services): Promise<UnservedNeed[]> {
  const heardSince = instantSql(new Date(services.clock.now().getTime() - DAEMON_STALE_MS));
  const rows = await services.prisma.$queryRaw(Prisma.sql`
    SELECT * FROM (
      SELECT o.name AS organization, need.template, need.others, need.provisioner, ${coverageSql(services)}
      FROM (
        SELECT t.organization_id, j.provisioner, j.tags || given.tags AS tags, min(t.name) AS template, count(*)::int - 1 AS others
        FROM templates t JOIN template_versions v ON v.id = t.active_version_id JOIN provisioner_jobs j ON j.id = v.job_id
        CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_object_agg(key, value), '{}') AS tags FROM jsonb_each_text(v.workspace_tags) WHERE value <> '') given
        -- Whose daemons a job with the scope "user" waits for depends on who builds.
        WHERE NOT t.deleted AND t.deprecation_message = '' AND j.tags ->> 'scope' <> 'user'
        GROUP BY 1, 2, 3
      ) need
      JOIN organizations o ON o.id = need.organization_id
      WHERE EXISTS (SELECT 1 FROM provisioner_daemons d WHERE d.organization_id = o.id AND d.last_seen_at >= ${heardSince})
    ) needs
    WHERE NOT is_served
    ORDER BY organization, template LIMIT ${MAX_NEEDS}`);
  return Rows.parse(rows).map(({ is_served: isServed, has_driver: hasDriver, provisioner, ...need }) => ({
    organization: need.organization,
    template: need.template,
    others: need.others,
    reason: unservedReason(provisioner, { isServed, hasDriver }),
  }));
}
