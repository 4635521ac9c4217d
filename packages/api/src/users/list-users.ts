import { invalid } from '@berth/core';
import { Prisma } from '@berth/db';
import type { UserSearch } from '@berth/domain';
import { USER_SEARCH, parseSearch } from '@berth/domain';
import { IMPLIED_SITE_ROLE } from '@berth/rbac';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { scopeSql } from '../kernel/scope-sql.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import type { ListUsers, User } from './contract.ts';
import { userSelect } from './presenter.ts';
import { showUsers } from './show-users.ts';

/** The order of the list; an index serves it. */
const NAME = Prisma.sql`lower(u.username)`;

const Page = z.object({ ids: z.array(z.string()), count: z.int() });

/**
 * A page of the users that the caller may read, by name without its case. `after_id` means the rows after that user, also when they
 * were deleted meanwhile; of an unknown or unreadable one the page is empty. `count` is the whole match, whatever the page.
 */
export async function listUsers(call: UserCall, input: z.output<typeof ListUsers>): Promise<{ users: User[]; count: number }> {
  const parsed = parseSearch(input.q ?? '', USER_SEARCH);
  if (!parsed.ok) throw invalid('The search query is invalid.', parsed.problems);
  const visible = scopeSql(call.authorize.scope(), { id: Prisma.sql`u.id`, owner: Prisma.sql`u.id` });
  const matches = Prisma.sql`NOT u.deleted AND ${visible} AND ${matching(parsed.search)}`;
  // Null, and so no row, when there is no such user to begin after.
  const after =
    input.after_id === undefined
      ? Prisma.empty
      : Prisma.sql`AND ${NAME} > (SELECT ${NAME} FROM users u WHERE u.id = ${input.after_id}::uuid AND ${visible})`;
  const [page] = z.array(Page).parse(
    await call.db.$queryRaw`
      SELECT (SELECT count(*)::int FROM users u WHERE ${matches}) AS count,
             ARRAY(SELECT u.id::text FROM users u WHERE ${matches} ${after} ORDER BY ${NAME} LIMIT ${input.limit} OFFSET ${input.offset}) AS ids`,
  );
  if (page === undefined) throw new Error('a statement without FROM answered no row');
  const rows = await call.db.user.findMany({ where: { id: { in: page.ids } }, select: userSelect });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const users = await showUsers(
    call.db,
    page.ids.flatMap((id) => byId.get(id) ?? []),
  );
  return { users, count: page.count };
}

function matching(query: UserSearch): Prisma.Sql {
  const { search, statuses, roles, lastSeenBefore, lastSeenAfter } = query;
  const all: Prisma.Sql[] = [Prisma.sql`TRUE`];
  if (search !== undefined) {
    const has = (column: Prisma.Sql): Prisma.Sql => Prisma.sql`position(lower(${search}::text) IN lower(${column})) > 0`;
    all.push(Prisma.sql`(${has(Prisma.sql`u.username`)} OR ${has(Prisma.sql`u.email`)} OR ${has(Prisma.sql`u.name`)})`);
  }
  if (statuses !== undefined) all.push(Prisma.sql`u.status = ANY (${[...statuses]}::text[])`);
  if (roles !== undefined) {
    const names = roles.map((role) => role.toLowerCase());
    // Everybody is a member, and nobody's row says so.
    const isEverybody = names.every((role) => role === IMPLIED_SITE_ROLE);
    if (!isEverybody) all.push(Prisma.sql`EXISTS (SELECT 1 FROM unnest(u.site_roles) AS held WHERE lower(held) = ANY (${names}::text[]))`);
  }
  if (lastSeenBefore !== undefined) all.push(Prisma.sql`u.last_seen_at <= ${instantSql(lastSeenBefore)}`);
  if (lastSeenAfter !== undefined) all.push(Prisma.sql`u.last_seen_at >= ${instantSql(lastSeenAfter)}`);
  return Prisma.join(all, ' AND ');
}
