import { invalid } from '@berth/core';
import type { Prisma } from '@berth/db';
import { containing } from '@berth/db';
import type { UserSearch } from '@berth/domain';
import { USER_SEARCH, parseSearch } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { ListUsers, User } from './contract.ts';
import { presentUser, userSelect } from './presenter.ts';

/** A page of the users that the caller may read, by name; `count` is the whole match. */
export async function listUsers(call: UserCall, input: z.output<typeof ListUsers>): Promise<{ users: User[]; count: number }> {
  const search = parseSearch(input.q ?? '', USER_SEARCH);
  if (!search.ok) throw invalid('The search query is invalid.', search.problems);
  const where: Prisma.UserWhereInput = { deleted: false, AND: [visible(call), matching(search.search)] };
  const cursor =
    input.after_id === undefined ? undefined : await call.db.user.findUnique({ where: { id: input.after_id }, select: { username: true } });
  if (cursor === null) return { users: [], count: 0 };
  const [rows, count] = await Promise.all([
    call.db.user.findMany({
      where: cursor === undefined ? where : { ...where, username: { gt: cursor.username } },
      select: userSelect,
      orderBy: { username: 'asc' },
      take: input.limit,
      skip: input.offset,
    }),
    call.db.user.count({ where }),
  ]);
  return { users: rows.map(presentUser), count };
}

/** `user:read` as a filter: a user row has itself as owner and no organization. */
function visible(call: UserCall): Prisma.UserWhereInput {
  const scope = call.authorize.scope();
  const ids = scope.onlyIds === null ? {} : { id: { in: [...scope.onlyIds] } };
  if (scope.everything) return ids;
  return { AND: [ids, { id: scope.ownerIn?.ownerId ?? call.principal.userId }, ...(scope.ownerIn === null ? [{ id: { in: [] } }] : [])] };
}

function matching(query: UserSearch): Prisma.UserWhereInput {
  const and: Prisma.UserWhereInput[] = [];
  if (query.search !== undefined) {
    and.push({
      OR: [{ username: containing(query.search) }, { email: containing(query.search) }, { name: containing(query.search) }],
    });
  }
  if (query.statuses !== undefined) and.push({ status: { in: [...query.statuses] } });
  if (query.roles !== undefined && !(query.roles.length === 1 && query.roles[0] === 'member')) {
    and.push({ siteRoles: { hasSome: [...query.roles] } });
  }
  if (query.lastSeenBefore !== undefined) and.push({ lastSeenAt: { lte: query.lastSeenBefore } });
  if (query.lastSeenAfter !== undefined) and.push({ lastSeenAt: { gte: query.lastSeenAfter } });
  return { AND: and };
}
