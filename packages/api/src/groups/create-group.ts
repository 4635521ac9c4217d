import type { DomainError } from '@berth/core';
import { conflict, newId, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { organizationObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { auditedGroup } from './audit.ts';
import type { CreateGroup, Group } from './contract.ts';
import { presentGroup } from './presenter.ts';

/** Creates an empty group. Refuses a name that the organization already has, in the same case. */
export async function createGroup(call: UserCall, input: z.output<typeof CreateGroup>): Promise<Group> {
  const organization = await resolveOrganization(call, input.organization);
  const group = {
    id: newId(),
    organizationId: organization.id,
    name: input.name,
    displayName: input.display_name,
    avatarUrl: input.avatar_url,
    quotaAllowance: input.quota_allowance,
    source: 'user',
  };
  call.audit.set({ resourceId: group.id, target: group.name, organizationId: organization.id, after: auditedGroup(group) });
  const object = { type: 'group', organizationId: organization.id } as const;
  if (!call.authorize.can('read', organizationObject(organization.id)) && !call.authorize.can('create', object)) throw notFound();
  call.authorize.require(object, { sitewide: true });
  try {
    await call.db.group.create({ data: { ...group, createdAt: call.services.clock.now() }, select: { id: true } });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
  return presentGroup({ group: { ...group, organization }, members: [], totalMemberCount: 0 });
}

export function nameTaken(): DomainError {
  return conflict('The organization already has a group of this name.', [{ field: 'name', detail: 'Is already taken.' }]);
}
