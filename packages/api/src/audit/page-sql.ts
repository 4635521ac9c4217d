import { Prisma } from '@berth/db';
import { inWholeDays, sealedCountsSql } from './counts.ts';
import type { AuditFilter } from './filter.ts';
import { alternativesOf, filterSql } from './filter.ts';
import { unseen } from './unseen-sql.ts';

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

/** How far a page may lie for its place to be found by walking there: an index passes so many entries in no time. */
const WALK_MAX = 2_500;

/**
 * The statement for the ids of a page in the list's order, and the number of all rows that pass: one row `{count, ids uuid[]}`, exact
 * and of one snapshot. Reads indexes only, but for filters that combine columns.
 */
export function auditPageSql(filter: AuditFilter, window: AuditWindow): Prisma.Sql {
  if (sealedCountsSql(filter) === null) return walkedPageSql(filter, countedSql(filter), window);
  return window.offset <= WALK_MAX && hasItsIndex(filter)
    ? walkedPageSql(filter, Prisma.sql`(SELECT COALESCE(sum(x.n), 0)::int FROM (${countsSql(filter)}) x)`, window)
    : summedPageSql(filter, window);
}

/**
 * How many rows pass, per day and in several parts: `day`, `n`. The sums tell of whole days, but not of the few rows that wait to enter
 * them; what the span has beyond whole days is counted.
 */
function countsSql(filter: AuditFilter): Prisma.Sql {
  const { whole, rests } = inWholeDays(filter);
  const parts = rests.map((rest) => Prisma.sql`SELECT ${DAY} AS day, count(*) AS n FROM audit_logs a WHERE ${filterSql(rest)} GROUP BY 1`);
  const sealed = whole === null ? null : sealedCountsSql(whole);
  if (whole !== null && sealed !== null) {
    parts.push(
      Prisma.sql`SELECT c.day, c.count AS n FROM audit_counts c WHERE ${sealed}`,
      Prisma.sql`SELECT ${DAY} AS day, 1 AS n FROM audit_pending p JOIN audit_logs a ON a.id = p.audit_log_id WHERE ${filterSql(whole)}`,
    );
  }
  return Prisma.join(parts, ' UNION ALL ');
}

const DAY = Prisma.sql`(a.time AT TIME ZONE 'UTC')::date`;

/** Whether the rows that pass are neighbours in one index, in the list's order. */
function hasItsIndex({ resourceType, action, buildReason, userIds, organizationIds }: AuditFilter): boolean {
  const columns = [resourceType, action, buildReason, userIds ?? undefined, organizationIds ?? undefined];
  const asked = columns.filter((column) => column !== undefined);
  return asked.length <= 1 && asked.every((column) => typeof column === 'string' || column.length === 1);
}

/**
 * The sums per day say on which days the page lies. Only those are read, so neither a far page nor a rare combination reads the rows
 * before it. Rows that wait to be sealed are few, and are counted besides.
 */
function summedPageSql(filter: AuditFilter, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const passes = filterSql(filter);
  const [size, skipped] = [unseen(limit, 'bigint'), unseen(offset, 'bigint')];
  // A cursor lies somewhere in its day: how many rows of that day come after it is not known, so they count as none.
  const rowsOfDay =
    after === null ? Prisma.sql`n` : Prisma.sql`CASE WHEN day = ${unseen(after.time.slice(0, 10), 'date')} THEN 0 ELSE n END`;
  const fromDay = after === null ? Prisma.sql`TRUE` : Prisma.sql`day <= ${unseen(after.time.slice(0, 10), 'date')}`;
  const isReached = after === null ? Prisma.sql`d.upto > ${skipped}` : Prisma.sql`TRUE`;
  return Prisma.sql`
    WITH days AS (
      SELECT x.day, sum(x.n)::bigint AS n FROM (${countsSql(filter)}) x GROUP BY x.day
    ),
    reached AS (
      SELECT day, ${rowsOfDay} AS n, (sum(${rowsOfDay}) OVER (ORDER BY day DESC))::bigint AS upto FROM days WHERE ${fromDay}
    )
    SELECT (SELECT COALESCE(sum(n), 0) FROM days)::int AS count, ARRAY(
      SELECT k.id FROM reached d CROSS JOIN LATERAL (
        SELECT a.id, a.time FROM audit_logs a
        WHERE ${passes} AND a.time >= d.day::timestamp AT TIME ZONE 'UTC' AND a.time < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
          ${afterSql(after)}
        ORDER BY a.time DESC, a.id DESC LIMIT ${size} OFFSET GREATEST(${skipped} - (d.upto - d.n), 0)
      ) k
      WHERE ${isReached} AND d.upto - d.n < ${skipped} + ${size}
      ORDER BY k.time DESC, k.id DESC LIMIT ${size}
    ) AS ids`;
}

/** For pages near the beginning of an index, and for filters that leave few rows. */
function walkedPageSql(filter: AuditFilter, count: Prisma.Sql, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const alternatives = alternativesOf(filter);
  if (alternatives.length > 1) return mergedPageSql(alternatives, count, { limit, offset, after });
  return Prisma.sql`
    SELECT ${count} AS count, ARRAY(
      SELECT a.id FROM audit_logs a WHERE ${filterSql(filter)} ${afterSql(after)}
      ORDER BY a.time DESC, a.id DESC LIMIT ${unseen(limit, 'bigint')} OFFSET ${unseen(offset, 'bigint')}
    ) AS ids`;
}

/** The first rows of each filter, merged: a row that several let through is one row. */
function mergedPageSql(filters: readonly AuditFilter[], count: Prisma.Sql, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const heads = filters.map(
    (filter) => Prisma.sql`(
      SELECT a.id, a.time FROM audit_logs a WHERE ${filterSql(filter)} ${afterSql(after)}
      ORDER BY a.time DESC, a.id DESC LIMIT ${unseen(limit + offset, 'bigint')})`,
  );
  return Prisma.sql`
    SELECT ${count} AS count, ARRAY(
      SELECT k.id FROM (${Prisma.join(heads, ' UNION ')}) k
      ORDER BY k.time DESC, k.id DESC LIMIT ${unseen(limit, 'bigint')} OFFSET ${unseen(offset, 'bigint')}
    ) AS ids`;
}

function countedSql(filter: AuditFilter): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM audit_logs a WHERE ${filterSql(filter)})::int`;
}

function afterSql(after: AuditCursor | null): Prisma.Sql {
  return after === null
    ? Prisma.empty
    : Prisma.sql`AND (a.time, a.id) < (${unseen(after.time, 'timestamptz')}, ${unseen(after.id, 'uuid')})`;
}
