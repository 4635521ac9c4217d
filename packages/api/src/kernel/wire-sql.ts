import { Prisma } from '@berth/db';

/** An instant as the wire writes it, made in SQL: ISO 8601 in UTC with microseconds; null stays null. */
export function isoSql(instant: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** An instant as a parameter of raw SQL, whatever the session's time zone. */
export function instantSql(instant: Date): Prisma.Sql {
  return Prisma.sql`${instant.toISOString()}::timestamptz`;
}
