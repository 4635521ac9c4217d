import { Prisma } from '@berth/db';

/** An instant as the wire writes it, made in SQL: ISO 8601 in UTC with microseconds; null stays null. */
export function isoSql(instant: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
