import { NIL_UUID } from '@berth/core';
import { Prisma } from '@berth/db';
import type { AuditFilter } from './filter.ts';
import { filterSql, isOneOf } from './filter.ts';

/**
 * What the rows of `audit_counts` tell apart besides organization and day. Every sealed row counts once in each facet, so a filter is
 * answered by the one facet that knows all its columns, and the sums stay short.
 */
const FACETS = {
  /** Nothing more. */
  all: 0,
  /** Resource type, action and build reason. */
  kind: 1,
  /** The user. */
  user: 2,
} as const;

/**
 * The number of rows that pass the filter, as a scalar expression: sums of sealed rows plus the few that wait, in one snapshot and so
 * always exact. Filters on one thing, or on one person's doings, count by index.
 */
export function countSql(filter: AuditFilter): Prisma.Sql {
  const facet = facetOf(filter);
  if (facet === null) return Prisma.sql`(SELECT count(*) FROM audit_logs a WHERE ${filterSql(filter)})`;
  return Prisma.sql`(
    (SELECT COALESCE(sum(c.count), 0) FROM audit_counts c WHERE ${facetSql(filter, facet)})
    + (SELECT count(*) FROM audit_pending p JOIN audit_logs a ON a.id = p.audit_log_id WHERE ${filterSql(filter)})
  )`;
}

function facetOf({ resourceId, resourceTarget, userIds, resourceType, action, buildReason }: AuditFilter): number | null {
  const hasKind = resourceType !== undefined || action !== undefined || buildReason !== undefined;
  if (resourceId !== undefined || resourceTarget !== undefined || (userIds !== null && hasKind)) return null;
  if (userIds !== null) return FACETS.user;
  return hasKind ? FACETS.kind : FACETS.all;
}

function facetSql(filter: AuditFilter, facet: number): Prisma.Sql {
  const { resourceType, action, buildReason, from, before, userIds, organizationIds } = filter;
  const conditions: Prisma.Sql[] = [Prisma.sql`c.facet = ${facet}::smallint`];
  if (userIds !== null) conditions.push(isOneOf(Prisma.sql`c.user_id`, userIds));
  if (resourceType !== undefined) conditions.push(Prisma.sql`c.resource_type = ${resourceType}`);
  if (action !== undefined) conditions.push(Prisma.sql`c.action = ${action}`);
  if (buildReason !== undefined) conditions.push(Prisma.sql`c.build_reason = ${buildReason}`);
  if (organizationIds !== null) conditions.push(isOneOf(Prisma.sql`c.organization_id`, organizationIds));
  if (from !== undefined) conditions.push(Prisma.sql`c.day >= ${day(from)}::date`);
  if (before !== undefined) conditions.push(Prisma.sql`c.day < ${day(before)}::date`);
  return Prisma.join(conditions, ' AND ');
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/**
 * The statement that counts rows which are being sealed, given as a query with the column `id`. Part of the sealer's own transaction:
 * a row leaves the queue in the moment in which it enters the sums.
 */
export function countSealedSql(sealed: Prisma.Sql): Prisma.Sql {
  const nil = Prisma.sql`${NIL_UUID}::uuid`;
  return Prisma.sql`
    INSERT INTO audit_counts AS c (facet, user_id, resource_type, action, build_reason, organization_id, day, count)
    SELECT f.facet,
      CASE f.facet WHEN ${FACETS.user} THEN COALESCE(a.user_id, ${nil}) ELSE ${nil} END AS user_id,
      CASE f.facet WHEN ${FACETS.kind} THEN a.resource_type ELSE '' END AS resource_type,
      CASE f.facet WHEN ${FACETS.kind} THEN a.action ELSE '' END AS action,
      CASE f.facet WHEN ${FACETS.kind} THEN COALESCE(a.build_reason, '') ELSE '' END AS build_reason,
      COALESCE(a.organization_id, ${nil}) AS organization_id,
      (a.time AT TIME ZONE 'UTC')::date AS day,
      count(*)
    FROM (${sealed}) s JOIN audit_logs a ON a.id = s.id
    CROSS JOIN (VALUES (${FACETS.all}::smallint), (${FACETS.kind}::smallint), (${FACETS.user}::smallint)) AS f (facet)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (facet, user_id, resource_type, action, build_reason, organization_id, day) DO UPDATE SET count = c.count + excluded.count`;
}

/** Sealed rows in all, by the sums. */
export const SEALED_TOTAL_SQL = Prisma.sql`(SELECT COALESCE(sum(count), 0)::bigint FROM audit_counts WHERE facet = ${FACETS.all}::smallint)`;
