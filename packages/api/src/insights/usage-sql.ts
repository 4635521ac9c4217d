import { Prisma } from '@berth/db';
import { instantSql } from '../kernel/wire-sql.ts';
import type { Period } from './period.ts';

/** Half hours that begin within the period; the table has a column `start_time`. */
export function withinPeriod({ start, end }: Pick<Period, 'start' | 'end'>): Prisma.Sql {
  return Prisma.sql`start_time >= ${instantSql(start)} AND start_time < ${instantSql(end)}`;
}
