import { notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { containing } from '@berth/db';
import { organizationObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { customRoleNames } from '../roles/index.ts';
import type { ListMembers, OrganizationMemberWithUser } from './contract.ts';
import { memberSelect, readableMembers } from './member-rows.ts';
import { presentMemberWithUser } from './presenter.ts';

/** The words of a search are few: more would only slow it down. */
const WORDS_MAX = 10;

/** The members of an organization that the caller may read, by user name: a plain member sees themselves. */
export async function listMembers(call: UserCall, input: z.output<typeof ListMembers>): Promise<OrganizationMemberWithUser[]> {
  const { id: organizationId } = await resolveOrganization(call, input.organization);
  // Those who may read the members of an organization know that it exists, even if they may not read it itself.
  const knows =
    call.authorize.can('read', organizationObject(organizationId)) ||
    call.authorize.can('read', { type: 'organization_member', organizationId });
  if (!knows) throw notFound();
  const rows = await call.db.organizationMember.findMany({
    where: { AND: [{ organizationId, user: { deleted: false } }, ...matching(input.q ?? ''), readableMembers(call.authorize.scope())] },
    select: memberSelect,
    orderBy: { user: { username: 'asc' } },
    take: input.limit,
    skip: input.offset,
  });
  const roleNames = { organization: await customRoleNames(call.db, organizationId), site: await customRoleNames(call.db, null) };
  return rows.map((row) => presentMemberWithUser(row, roleNames));
}

/** Members who have every word of the text. */
function matching(text: string): Prisma.OrganizationMemberWhereInput[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.slice(0, WORDS_MAX).map((word) => ({
    OR: [
      { user: { OR: [{ username: containing(word) }, { name: containing(word) }, { email: containing(word) }] } },
      { roles: { has: word.toLowerCase() } },
    ],
  }));
}
