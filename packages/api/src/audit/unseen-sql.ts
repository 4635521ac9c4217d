import { Prisma } from '@berth/db';

/**
 * A value that the planner does not see. Told the values of a search, it takes a plan made for them for better than the one it could
 * keep, and planning anew each time costs more than the page; the indexes are right for any value.
 */
export function unseen(value: string | number, type: 'bigint' | 'date' | 'text' | 'timestamptz' | 'uuid'): Prisma.Sql {
  return Prisma.sql`(SELECT ${value}::${Prisma.raw(type)})`;
}
