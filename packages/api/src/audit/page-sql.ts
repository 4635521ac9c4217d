import { Prisma } from '@berth/db';
import { sealedCountsSql } from './counts.ts';
import type { AuditFilter } from './filter.ts';
import { filterSql } from './filter.ts';
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

/**
 * The statement for the ids of a page in the list's order, and the number of all rows that pass: `{count, ids}`, exact and of one
 * snapshot. Reads indexes only, but for filters that combine columns.
 */
export function auditPageSql(filter: AuditFilter, window: AuditWindow): Prisma.Sql {
  const sealed = sealedCountsSql(filter);
  return sealed === null ? countedPageSql(filter, window) : summedPageSql(filter, sealed, window);
}

/**
 * The sums per day say on which days the page lies. Only those are read, so neither a far page nor a rare combination reads the rows
 * before it. Rows that wait to be sealed are few, and are counted besides.
 */
function summedPageSql(filter: AuditFilter, sealed: Prisma.Sql, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const passes = filterSql(filter);
  const [size, skipped] = [unseen(limit, 'bigint'), unseen(offset, 'bigint')];
  // A cursor lies somewhere in its day: how many rows of that day come after it is not known, so they count as none.
  const rowsOfDay =
    after === null ? Prisma.sql`n` : Prisma.sql`CASE WHEN day = ${unseen(after.time.slice(0, 10), 'date')} THEN 0 ELSE n END`;
  const fromDay = after === null ? Prisma.sql`TRUE` : Prisma.sql`day <= ${unseen(after.time.slice(0, 10), 'date')}`;
  const isReached = after === null ? Prisma.sql`d.upto > ${skipped}` : Prisma.sql`TRUE`;
  return Prisma.sql`
    WITH days AS (
      SELECT x.day, sum(x.n)::bigint AS n FROM (
        SELECT c.day, c.count AS n FROM audit_counts c WHERE ${sealed}
        UNION ALL
        SELECT (a.time AT TIME ZONE 'UTC')::date, 1 FROM audit_pending p JOIN audit_logs a ON a.id = p.audit_log_id WHERE ${passes}
      ) x GROUP BY x.day
    ),
    reached AS (
      SELECT day, ${rowsOfDay} AS n, (sum(${rowsOfDay}) OVER (ORDER BY day DESC))::bigint AS upto FROM days WHERE ${fromDay}
    )
    SELECT (SELECT COALESCE(sum(n), 0) FROM days)::int AS count, COALESCE((
      SELECT json_agg(page.id ORDER BY page.time DESC, page.id DESC) FROM (
        SELECT k.id, k.time FROM reached d CROSS JOIN LATERAL (
          SELECT a.id, a.time FROM audit_logs a
          WHERE ${passes} AND a.time >= d.day::timestamp AT TIME ZONE 'UTC' AND a.time < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
            ${afterSql(after)}
          ORDER BY a.time DESC, a.id DESC LIMIT ${size} OFFSET GREATEST(${skipped} - (d.upto - d.n), 0)
        ) k
        WHERE ${isReached} AND d.upto - d.n < ${skipped} + ${size}
        ORDER BY k.time DESC, k.id DESC LIMIT ${size}
      ) page
    ), '[]') AS ids`;
}

/** For filters that leave few rows. */
function countedPageSql(filter: AuditFilter, { limit, offset, after }: AuditWindow): Prisma.Sql {
  const passes = filterSql(filter);
  const [size, skipped] = [unseen(limit, 'bigint'), unseen(offset, 'bigint')];
  return Prisma.sql`
    SELECT (SELECT count(*) FROM audit_logs a WHERE ${passes})::int AS count, COALESCE((
      SELECT json_agg(page.id ORDER BY page.time DESC, page.id DESC) FROM (
        SELECT a.id, a.time FROM audit_logs a WHERE ${passes} ${afterSql(after)}
        ORDER BY a.time DESC, a.id DESC LIMIT ${size} OFFSET ${skipped}
      ) page
    ), '[]') AS ids`;
}

function afterSql(after: AuditCursor | null): Prisma.Sql {
  return after === null
    ? Prisma.empty
    : Prisma.sql`AND (a.time, a.id) < (${unseen(after.time, 'timestamptz')}, ${unseen(after.id, 'uuid')})`;
}
