import type { Prisma } from '@berth/db';
import type { ListScope } from '@berth/rbac';
import { organizationObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import type { Organization } from './contract.ts';
import { presentOrganization } from './presenter.ts';
import { organizationSelect, resolveOrganization } from './resolve.ts';

/** The organizations that the caller may read, by name. */
export async function listOrganizations(call: UserCall): Promise<Organization[]> {
  const rows = await call.db.organization.findMany({
    where: readableOrganizations(call.authorize.scope()),
    select: organizationSelect,
    orderBy: { name: 'asc' },
  });
  return rows.map(presentOrganization);
}

export async function getOrganization(call: UserCall, input: { organization: string }): Promise<Organization> {
  const row = await resolveOrganization(call, input.organization);
  call.authorize.require(organizationObject(row.id));
  return presentOrganization(row);
}

/** A scope over the organizations themselves: each is its own organization, and none has an owner or an ACL. */
export function readableOrganizations(scope: ListScope): Prisma.OrganizationWhereInput {
  return {
    AND: [
      scope.onlyIds === null ? {} : { id: { in: [...scope.onlyIds] } },
      scope.everything ? {} : { id: { in: [...scope.organizationIds] } },
    ],
  };
}
