import { isUuid } from '@berth/core';
import type { Prisma } from '@berth/db';
import { sameText } from '@berth/db';
import type { ListScope } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';

export const memberSelect = {
  organizationId: true,
  userId: true,
  roles: true,
  createdAt: true,
  updatedAt: true,
  user: { select: { username: true, name: true, email: true, avatarUrl: true, siteRoles: true, loginType: true } },
} as const satisfies Prisma.OrganizationMemberSelect;

export type MemberRow = Prisma.OrganizationMemberGetPayload<{ select: typeof memberSelect }>;

/**
 * The member that `{user}` names: `me`, an id or a user name. Whoever may act on members need not be able to read the users. Null for
 * others and for deleted accounts. Says nothing about who may see it: the caller must authorise.
 */
export async function findMember(
  call: Pick<UserCall, 'db' | 'principal'>,
  { organizationId, user }: { organizationId: string; user: string },
): Promise<MemberRow | null> {
  const named = user === 'me' ? { id: call.principal.userId } : isUuid(user) ? { id: user } : { username: sameText(user) };
  return await call.db.organizationMember.findFirst({
    where: { organizationId, user: { ...named, deleted: false } },
    select: memberSelect,
  });
}

/** The member as it stands once nobody else is changing it; null when it is gone by then. Holds until the transaction ends. */
export async function lockMember({ db }: Pick<UserCall, 'db'>, { organizationId, userId }: MemberRow): Promise<MemberRow | null> {
  await db.$queryRaw`SELECT 1 FROM organization_members WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR UPDATE`;
  return await db.organizationMember.findUnique({ where: { organizationId_userId: { organizationId, userId } }, select: memberSelect });
}

/** A scope over members of organizations: each is owned by the user in question, and none has an ACL. */
export function readableMembers(scope: ListScope): Prisma.OrganizationMemberWhereInput {
  const only = scope.onlyIds === null ? {} : { userId: { in: [...scope.onlyIds] } };
  if (scope.everything) return only;
  const own = scope.ownerIn === null ? [] : [{ userId: scope.ownerIn.ownerId, organizationId: { in: [...scope.ownerIn.organizationIds] } }];
  return { AND: [only, { OR: [{ organizationId: { in: [...scope.organizationIds] } }, ...own] }] };
}
