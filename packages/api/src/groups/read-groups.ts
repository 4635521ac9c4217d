import { invalidField, isUuid, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { sameText } from '@berth/db';
import { groupObject, organizationObject, userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { OrganizationRow } from '../organizations/index.ts';
import { findOrganization, resolveOrganization } from '../organizations/index.ts';
import type { Group, GroupByNamePath, ListGroups, ListOrganizationGroups } from './contract.ts';
import { findGroups, readableGroups } from './group-rows.ts';
import { presentGroup } from './presenter.ts';

/** The groups of all organizations that the caller may read, narrowed by the filters given. */
export async function listGroups(call: UserCall, input: z.output<typeof ListGroups>): Promise<Group[]> {
  const where: Prisma.GroupWhereInput[] = [await matching(call, input)];
  if (input.organization !== undefined) {
    const organization = await findOrganization(call.db, input.organization);
    if (organization === null || !seesOrganization(call, organization)) {
      throw invalidField('organization', 'There is no such organization.');
    }
    where.push({ organizationId: organization.id });
  }
  return await readGroups(call, where);
}

export async function listOrganizationGroups(call: UserCall, input: z.output<typeof ListOrganizationGroups>): Promise<Group[]> {
  const organization = await loadOrganization(call, input.organization);
  return await readGroups(call, [{ organizationId: organization.id }, await matching(call, input)]);
}

export async function getGroup(call: UserCall, input: { group: string }): Promise<Group> {
  return await readGroup(call, { id: input.group });
}

export async function getGroupByName(call: UserCall, input: z.output<typeof GroupByNamePath>): Promise<Group> {
  const organization = await loadOrganization(call, input.organization);
  return await readGroup(call, { organizationId: organization.id, name: input.groupName });
}

async function readGroups(call: UserCall, where: readonly Prisma.GroupWhereInput[]): Promise<Group[]> {
  const readable = readableGroups(call.authorize.scope());
  const found = await findGroups(call.db, { AND: [...where, readable] }, call.authorize.scope('group_member:read'));
  return found.map(presentGroup);
}

async function readGroup(call: UserCall, where: Prisma.GroupWhereInput): Promise<Group> {
  const [found] = await findGroups(call.db, where, call.authorize.scope('group_member:read'));
  if (found === undefined) throw notFound();
  call.authorize.require(groupObject(found.group));
  return presentGroup(found);
}

async function matching(
  call: UserCall,
  input: { has_member?: string | undefined; group_ids?: string[] | undefined },
): Promise<Prisma.GroupWhereInput> {
  const ids: Prisma.GroupWhereInput = input.group_ids === undefined ? {} : { id: { in: input.group_ids } };
  if (input.has_member === undefined) return ids;
  const userId = await memberId(call, input.has_member);
  const memberships = await call.db.organizationMember.findMany({ where: { userId }, select: { organizationId: true } });
  const everyoneIds = memberships.map((membership) => membership.organizationId);
  return { AND: [ids, { OR: [{ members: { some: { userId } } }, { id: { in: everyoneIds } }] }] };
}

async function memberId(call: UserCall, param: string): Promise<string> {
  const where = param === 'me' ? { id: call.principal.userId } : isUuid(param) ? { id: param } : { username: sameText(param) };
  const user = await call.db.user.findFirst({ where: { ...where, deleted: false }, select: { id: true } });
  if (user === null || !call.authorize.can('read', userObject(user.id))) throw invalidField('has_member', 'There is no such user.');
  return user.id;
}

/** Those who may read the groups of an organization know that it exists, even if they may not read it itself. */
function seesOrganization(call: UserCall, organization: OrganizationRow): boolean {
  return (
    call.authorize.can('read', organizationObject(organization.id)) ||
    call.authorize.can('read', { type: 'group', organizationId: organization.id })
  );
}

async function loadOrganization(call: UserCall, param: string): Promise<OrganizationRow> {
  const organization = await resolveOrganization(call, param);
  if (!seesOrganization(call, organization)) throw notFound();
  return organization;
}
