import type { DomainError } from '@berth/core';
import { conflict, newId } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { EVERYONE_GROUP_NAME } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedOrganization } from './audit.ts';
import type { CreateOrganization, Organization } from './contract.ts';
import { presentOrganization } from './presenter.ts';
import { organizationSelect } from './resolve.ts';

/** Creates an organization with its Everyone group; the caller is its first member, without a role. */
export async function createOrganization(call: UserCall, input: z.output<typeof CreateOrganization>): Promise<Organization> {
  const { db, services } = call;
  const id = newId();
  call.audit.set({ resourceId: id, target: input.name, icon: input.icon, organizationId: id });
  call.authorize.require({ type: 'organization' }, { sitewide: true });
  const now = services.clock.now();
  const displayName = input.display_name === undefined || input.display_name === '' ? input.name : input.display_name;
  try {
    const row = await db.organization.create({
      data: {
        id,
        name: input.name,
        displayName,
        description: input.description,
        icon: input.icon,
        createdAt: now,
        updatedAt: now,
        members: { create: { userId: call.principal.userId, createdAt: now, updatedAt: now } },
        groups: { create: { id, name: EVERYONE_GROUP_NAME, displayName: EVERYONE_GROUP_NAME, createdAt: now } },
      },
      select: organizationSelect,
    });
    await announceRights(call, call.principal.userId);
    call.audit.update({ after: auditedOrganization(row) });
    return presentOrganization(row);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

export function nameTaken(): DomainError {
  return conflict('There is already an organization of this name.', [{ field: 'name', detail: 'Is already taken.' }]);
}
