import { forbidden, notFound } from '@berth/core';
import type { LoginType } from '@berth/domain';
import { organizationObject, userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { Organization } from '../organizations/contract.ts';
import { findOrganization, organizationSelect, presentOrganization, readableOrganizations } from '../organizations/index.ts';
import type { UserOrganizationPath } from './contract.ts';
import { resolveUser } from './resolve-user.ts';

/** The organizations of a user that the caller may read, by name. */
export async function listUserOrganizations(call: UserCall, input: { user: string }): Promise<Organization[]> {
  const user = await resolveUser(call, input.user);
  const rows = await call.db.organization.findMany({
    where: { AND: [{ members: { some: { userId: user.id } } }, readableOrganizations(call.authorize.scope())] },
    select: organizationSelect,
    orderBy: { name: 'asc' },
  });
  return rows.map(presentOrganization);
}

/** One organization of a user. One that they do not belong to, or that the caller may not read, is not found. */
export async function getUserOrganization(call: UserCall, input: z.output<typeof UserOrganizationPath>): Promise<Organization> {
  const user = await resolveUser(call, input.user);
  const row = await findOrganization(call.db, input.organizationname);
  if (row === null) throw notFound();
  call.authorize.require(organizationObject(row.id));
  const membership = await call.db.organizationMember.findUnique({
    where: { organizationId_userId: { organizationId: row.id, userId: user.id } },
    select: { userId: true },
  });
  if (membership === null) throw notFound();
  return presentOrganization(row);
}

/** How one's own account signs in. Of others it is nobody's business beyond what the user itself shows. */
export async function getLoginType(call: UserCall, input: { user: string }): Promise<{ login_type: LoginType }> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  if (user.id !== call.principal.userId) throw forbidden('The login type is shown to the user alone.');
  // The column carries a check constraint with these very values.
  return { login_type: user.loginType as LoginType };
}
