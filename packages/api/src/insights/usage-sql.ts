import { Prisma } from '@berth/db';
import { instantSql } from '../kernel/wire-sql.ts';
import type { Period } from './period.ts';

/** Half hours that begin within the period; the table has a column `start_time`. */
export function withinPeriod({ start, end }: Pick<Period, 'start' | 'end'>): Prisma.Sql {
  return Prisma.sql`start_time >= ${instantSql(start)} AND start_time < ${instantSql(end)}`;
}

/** A table expression `places`: for each value of the columns `by` in `source`, the templates it came with, in order, as `template_ids`. */
export function placesSql(by: Prisma.Sql, source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`places AS (
    SELECT ${by}, json_agg(template_id ORDER BY template_id) AS template_ids
    FROM (SELECT DISTINCT ${by}, template_id FROM ${source}) AS placed GROUP BY ${by}
  )`;
}

/** All templates in `source`, in order, as one value. */
export function allPlacesSql(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(json_agg(template_id ORDER BY template_id), '[]'::json) FROM (SELECT DISTINCT template_id FROM ${source}) AS placed)`;
}
