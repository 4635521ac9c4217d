import { NIL_UUID } from '@berth/core';
import { Prisma } from '@berth/db';
import type { AuditFilter } from './filter.ts';
import { isOneOf } from './filter.ts';
import { unseen } from './unseen-sql.ts';

/**
 * What the rows of `audit_counts` tell apart besides organization and day. Every sealed row counts once in each facet, so a filter is
 * answered by the one facet that knows just its columns, and the sums stay short.
 */
const FACETS = {
  all: { number: 0, columns: [] },
  type: { number: 1, columns: ['resource_type'] },
  action: { number: 2, columns: ['action'] },
  reason: { number: 3, columns: ['build_reason'] },
  kind: { number: 4, columns: ['resource_type', 'action', 'build_reason'] },
  user: { number: 5, columns: ['user_id'] },
} as const;
type Facet = (typeof FACETS)[keyof typeof FACETS];
type FacetColumn = 'user_id' | 'resource_type' | 'action' | 'build_reason';

const NIL = Prisma.raw(`'${NIL_UUID}'::uuid`);
const EMPTY = Prisma.raw(`''`);

/**
 * The sealed rows that pass the filter, per day and possibly in several parts, as conditions on `audit_counts c`; of a day that the
 * filter has in part, none (`inWholeDays`). Null for filters that no sum answers: those on one thing, or on one person's doings of one
 * kind, which are few enough to count.
 */
export function sealedCountsSql(filter: AuditFilter): Prisma.Sql | null {
  const facet = facetOf(filter);
  if (facet === null) return null;
  const { resourceType, action, buildReason, from, before, userIds, organizationIds } = filter;
  // A constant, not a parameter, so that the plan is made for this facet.
  const conditions: Prisma.Sql[] = [Prisma.sql`c.facet = ${Prisma.raw(String(facet.number))}`];
  const where = (column: FacetColumn, condition: Prisma.Sql | null): void => {
    const isTold = facet.columns.some((told) => told === column);
    if (condition !== null) conditions.push(condition);
    else if (!isTold) conditions.push(Prisma.sql`c.${Prisma.raw(column)} = ${column === 'user_id' ? NIL : EMPTY}`);
  };
  where('user_id', userIds === null ? null : isOneOf(Prisma.sql`c.user_id`, userIds));
  where('resource_type', resourceType === undefined ? null : Prisma.sql`c.resource_type = ${unseen(resourceType, 'text')}`);
  where('action', action === undefined ? null : Prisma.sql`c.action = ${unseen(action, 'text')}`);
  where('build_reason', buildReason === undefined ? null : Prisma.sql`c.build_reason = ${unseen(buildReason, 'text')}`);
  if (organizationIds !== null) conditions.push(isOneOf(Prisma.sql`c.organization_id`, organizationIds));
  if (from !== undefined) conditions.push(Prisma.sql`c.day >= ${unseen(dayOf(startOfDay(from, 'next')), 'date')}`);
  if (before !== undefined) conditions.push(Prisma.sql`c.day < ${unseen(dayOf(before), 'date')}`);
  return Prisma.join(conditions, ' AND ');
}

function facetOf({
  id,
  requestId,
  resourceId,
  resourceTarget,
  named,
  userIds,
  resourceType,
  action,
  buildReason,
}: AuditFilter): Facet | null {
  if ([id, requestId, resourceId, resourceTarget, named].some((thing) => thing !== undefined)) return null;
  const kinds: Facet[] = [];
  if (resourceType !== undefined) kinds.push(FACETS.type);
  if (action !== undefined) kinds.push(FACETS.action);
  if (buildReason !== undefined) kinds.push(FACETS.reason);
  const [kind, ...otherKinds] = kinds;
  if (userIds !== null) return kind === undefined ? FACETS.user : null;
  if (kind === undefined) return FACETS.all;
  return otherKinds.length === 0 ? kind : FACETS.kind;
}

/** What a filter's span has of whole days, and the rest of it at either end: of which the rows must be counted. */
export function inWholeDays(filter: AuditFilter): { readonly whole: AuditFilter | null; readonly rests: readonly AuditFilter[] } {
  const { from, before } = filter;
  const first = from === undefined ? undefined : startOfDay(from, 'next');
  const end = before === undefined ? undefined : startOfDay(before, 'same');
  // Both ends lie in one day.
  if (first !== undefined && end !== undefined && first > end) return { whole: null, rests: [filter] };
  const rests: AuditFilter[] = [];
  if (from !== undefined && first !== undefined && from < first) rests.push({ ...filter, from, before: first });
  if (before !== undefined && end !== undefined && end < before) rests.push({ ...filter, from: end, before });
  return { whole: { ...filter, from: first, before: end }, rests };
}

const DAY_MS = 86_400_000;

/** The first instant of its day in UTC; of the next one, unless it is that instant. */
function startOfDay(instant: Date, side: 'same' | 'next'): Date {
  const days = instant.getTime() / DAY_MS;
  return new Date((side === 'same' ? Math.floor(days) : Math.ceil(days)) * DAY_MS);
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The columns of a row that the sums tell apart. */
export interface CountedRow {
  readonly day: string;
  readonly organizationId: string | null;
  readonly userId: string | null;
  readonly resourceType: string;
  readonly action: string;
  readonly buildReason: string | null;
}

/**
 * The statement that adds rows which are being sealed to the sums. Part of the sealer's own statement: a row leaves the queue in the
 * moment in which it enters the sums.
 */
export function countSealedSql(rows: readonly CountedRow[]): Prisma.Sql {
  const sums = [...sumUp(rows).values()];
  return Prisma.sql`
    INSERT INTO audit_counts AS c (facet, user_id, resource_type, action, build_reason, organization_id, day, count)
    SELECT * FROM unnest(
      ${sums.map((sum) => sum.facet)}::smallint[], ${sums.map((sum) => sum.user_id)}::uuid[], ${sums.map((sum) => sum.resource_type)}::text[],
      ${sums.map((sum) => sum.action)}::text[], ${sums.map((sum) => sum.build_reason)}::text[],
      ${sums.map((sum) => sum.organization_id)}::uuid[], ${sums.map((sum) => sum.day)}::date[], ${sums.map((sum) => sum.count)}::bigint[])
    ON CONFLICT (facet, user_id, resource_type, action, build_reason, organization_id, day) DO UPDATE SET count = c.count + excluded.count`;
}

type Sum = Record<FacetColumn | 'organization_id' | 'day', string> & { readonly facet: number; count: number };

function sumUp(rows: readonly CountedRow[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  const facets = Object.values(FACETS);
  for (const row of rows) {
    const values = {
      user_id: row.userId ?? NIL_UUID,
      resource_type: row.resourceType,
      action: row.action,
      build_reason: row.buildReason ?? '',
    };
    const place = { organization_id: row.organizationId ?? NIL_UUID, day: row.day };
    for (const { number, columns } of facets) {
      const key = [number, place.day, place.organization_id, ...columns.map((column) => values[column])].join('\n');
      const sum = sums.get(key);
      if (sum !== undefined) {
        sum.count += 1;
        continue;
      }
      const told = Object.fromEntries(columns.map((column) => [column, values[column]]));
      sums.set(key, { facet: number, user_id: NIL_UUID, resource_type: '', action: '', build_reason: '', ...told, ...place, count: 1 });
    }
  }
  return sums;
}

/** Sealed rows in all, by the sums. */
export const SEALED_TOTAL_SQL = Prisma.sql`
  (SELECT COALESCE(sum(count), 0)::bigint FROM audit_counts WHERE facet = ${Prisma.raw(String(FACETS.all.number))})`;
