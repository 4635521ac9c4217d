import { invalidField } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { nameProblem } from '@berth/domain';
import { organizationObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { auditedOrganization } from './audit.ts';
import type { Organization, UpdateOrganization } from './contract.ts';
import { nameTaken } from './create-organization.ts';
import { presentOrganization } from './presenter.ts';
import { organizationSelect, resolveOrganization } from './resolve.ts';

/** Changes what is given and leaves the rest; an empty name or display name leaves it too. */
export async function changeOrganization(call: UserCall, input: z.output<typeof UpdateOrganization>): Promise<Organization> {
  const before = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: before.id, target: before.name, icon: before.icon, organizationId: before.id });
  call.authorize.require(organizationObject(before.id));
  const name = input.name === undefined || input.name === '' ? before.name : input.name;
  const problem = name === before.name ? null : nameProblem('organization_name', name);
  if (problem !== null) throw invalidField('name', problem);
  const displayName = input.display_name === undefined || input.display_name === '' ? before.displayName : input.display_name;
  try {
    const row = await call.db.organization.update({
      where: { id: before.id },
      data: {
        name,
        displayName,
        ...(input.description === undefined ? {} : { description: input.description }),
        ...(input.icon === undefined ? {} : { icon: input.icon }),
        updatedAt: call.services.clock.now(),
      },
      select: organizationSelect,
    });
    call.audit.update({ target: row.name, icon: row.icon, before: auditedOrganization(before), after: auditedOrganization(row) });
    return presentOrganization(row);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}
