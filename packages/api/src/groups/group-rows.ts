import type { Prisma, Tx } from '@berth/db';
import type { ListScope } from '@berth/rbac';
import { readableMembers } from '../members/index.ts';
import type { ReducedUserRow } from '../users/index.ts';
import { reducedUserSelect } from '../users/index.ts';

const groupSelect = {
  id: true,
  organizationId: true,
  name: true,
  displayName: true,
  avatarUrl: true,
  quotaAllowance: true,
  source: true,
  organization: { select: { name: true, displayName: true } },
} as const satisfies Prisma.GroupSelect;

export type GroupRow = Prisma.GroupGetPayload<{ select: typeof groupSelect }>;

/** A group with the members that may be shown, and the number of all. */
export interface GroupFacts {
  readonly group: GroupRow;
  readonly members: readonly ReducedUserRow[];
  readonly totalMemberCount: number;
}

/** Everyone has no rows of its own: its members are those of the organization whose id it shares. */
export function isEveryone(group: Pick<GroupRow, 'id' | 'organizationId'>): boolean {
  return group.id === group.organizationId;
}

/**
 * The groups that match, by organization and name, each with its living members as far as `memberScope` (`group_member:read`) reaches.
 * Five statements however many groups there are.
 */
export async function findGroups(db: Tx, where: Prisma.GroupWhereInput, memberScope: ListScope): Promise<GroupFacts[]> {
  const groups = await db.group.findMany({
    where,
    select: groupSelect,
    orderBy: [{ organization: { name: 'asc' } }, { name: 'asc' }, { id: 'asc' }],
  });
  const everyoneIds = groups.filter(isEveryone).map((group) => group.organizationId);
  const otherIds = groups.filter((group) => !isEveryone(group)).map((group) => group.id);

  const ofEveryone = { organizationId: { in: everyoneIds }, user: { deleted: false } } satisfies Prisma.OrganizationMemberWhereInput;
  const ofOthers = { groupId: { in: otherIds }, user: { deleted: false } } satisfies Prisma.GroupMemberWhereInput;
  const order = { user: { username: 'asc' } } as const;
  const [everyoneMembers, everyoneCounts, otherMembers, otherCounts] = await Promise.all([
    db.organizationMember.findMany({
      where: { AND: [ofEveryone, readableMembers(memberScope)] },
      select: { organizationId: true, user: { select: reducedUserSelect } },
      orderBy: order,
    }),
    db.organizationMember.groupBy({ by: ['organizationId'], where: ofEveryone, _count: { _all: true } }),
    db.groupMember.findMany({
      where: { AND: [ofOthers, visibleOfOthers(memberScope)] },
      select: { groupId: true, user: { select: reducedUserSelect } },
      orderBy: order,
    }),
    db.groupMember.groupBy({ by: ['groupId'], where: ofOthers, _count: { _all: true } }),
  ]);

  const members = new Map<string, ReducedUserRow[]>(groups.map((group) => [group.id, []]));
  for (const row of everyoneMembers) members.get(row.organizationId)?.push(row.user);
  for (const row of otherMembers) members.get(row.groupId)?.push(row.user);
  const counts = new Map<string, number>([
    ...everyoneCounts.map((row) => [row.organizationId, row._count._all] as const),
    ...otherCounts.map((row) => [row.groupId, row._count._all] as const),
  ]);
  return groups.map((group) => ({ group, members: members.get(group.id) ?? [], totalMemberCount: counts.get(group.id) ?? 0 }));
}

/** Ids of the living members of an ordinary group, whoever asks. */
export async function groupMemberIds(db: Tx, groupId: string): Promise<string[]> {
  const rows = await db.groupMember.findMany({
    where: { groupId, user: { deleted: false } },
    select: { userId: true },
    orderBy: { userId: 'asc' },
  });
  return rows.map((row) => row.userId);
}

/** `group_member:read` over the members of ordinary groups: each is owned by the user in question. */
function visibleOfOthers(scope: ListScope): Prisma.GroupMemberWhereInput {
  if (scope.everything) return onlyUsers(scope);
  return {
    AND: [
      onlyUsers(scope),
      {
        OR: [
          { group: { organizationId: { in: [...scope.organizationIds] } } },
          ...(scope.ownerIn === null
            ? []
            : [{ userId: scope.ownerIn.ownerId, group: { organizationId: { in: [...scope.ownerIn.organizationIds] } } }]),
        ],
      },
    ],
  };
}

function onlyUsers(scope: ListScope): { userId?: { in: string[] } } {
  return scope.onlyIds === null ? {} : { userId: { in: [...scope.onlyIds] } };
}

/** `group:read` as a filter. Every group lets its own members read it; Everyone's are the members of its organization. */
export function readableGroups(scope: ListScope): Prisma.GroupWhereInput {
  const only: Prisma.GroupWhereInput = scope.onlyIds === null ? {} : { id: { in: [...scope.onlyIds] } };
  if (scope.everything) return only;
  const or: Prisma.GroupWhereInput[] = [{ organizationId: { in: [...scope.organizationIds] } }];
  if (scope.acl !== null) {
    const memberOf = [...scope.acl.organizationIds];
    or.push({ organizationId: { in: memberOf }, id: { in: [...scope.acl.groupIds, ...memberOf] } });
  }
  return { AND: [only, { OR: or }] };
}
