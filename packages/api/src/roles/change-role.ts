import { forbidden, invalid, invalidField, newId, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { isUniqueViolation } from '@berth/db';
import { tableAllowsRole } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRightsOfAll } from '../kernel/rights.ts';
import type { OrganizationPath } from '../organizations/contract.ts';
import { auditedRole } from './audit.ts';
import type { Role, SiteRole, SiteRolePath } from './contract.ts';
import { presentCustomRole } from './presenter.ts';
import { findPlace, holdersOf, requirePlace, takeFromAll } from './role-place.ts';
import type { CustomRole } from './role-rows.ts';
import { findCustomRole } from './role-rows.ts';
import { CUSTOM_ROLES_MAX, coversCustomRole, isBuiltInName, permissionProblems } from './role-rules.ts';

/** In an organization, or without one, on the site. */
type Definition = z.output<typeof SiteRole> & Partial<z.output<typeof OrganizationPath>>;
type Path = z.output<typeof SiteRolePath> & Partial<z.output<typeof OrganizationPath>>;

/** Defines a custom role, of an organization or of the site. It can grant only what its maker holds in that place. */
export async function createRole(call: UserCall, input: Definition): Promise<Role[]> {
  const { db, principal, services } = call;
  const id = newId();
  const place = await findPlace(call, input);
  const { organizationId } = place;
  call.audit.set({ resourceId: id, target: input.name, organizationId });
  requirePlace(call, place);
  const role = changed({ id, organizationId, name: input.name, displayName: '', site: [], organization: [], user: [] }, input);
  const nameProblem = isBuiltInName(role.name) ? [{ field: 'name', detail: 'Is the name of a built-in role.' }] : [];
  const problems = [...nameProblem, ...permissionProblems(principal.subject, role)];
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  if ((await db.customRole.count({ where: { organizationId } })) >= CUSTOM_ROLES_MAX) {
    throw invalid(`There are ${CUSTOM_ROLES_MAX} custom roles here already, which is all there can be.`);
  }
  const now = services.clock.now();
  try {
    await db.customRole.create({
      data: { id, organizationId, name: role.name, ...columns(role), createdAt: now, updatedAt: now },
      select: { id: true },
    });
  } catch (error) {
    throw isUniqueViolation(error) ? invalidField('name', 'There is already a role of this name.') : error;
  }
  // Nobody starts with it, not even who was given a former role of this name while that one was being deleted.
  await takeFromAll(db, { ...role, now });
  call.audit.update({ after: auditedRole(role) });
  return [presentCustomRole(role)];
}

/** Changes what a custom role grants to everyone who holds it; what is absent stays. */
export async function updateRole(call: UserCall, input: Definition): Promise<Role[]> {
  const before = await permittedRole(call, input, input.name);
  const role = changed(before, input);
  const problems = permissionProblems(call.principal.subject, role);
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  await call.db.customRole.update({
    where: { id: role.id },
    data: { ...columns(role), updatedAt: call.services.clock.now() },
    select: { id: true },
  });
  await announceRightsOfAll(call, await holdersOf(call.db, role));
  call.audit.update({ before: auditedRole(before), after: auditedRole(role) });
  return [presentCustomRole(role)];
}

/** Deletes a custom role and takes it from everyone who holds it: so only for those who may take it. Answers it as it was. */
export async function deleteRole(call: UserCall, input: Path): Promise<Role[]> {
  const role = await permittedRole(call, input, input.roleName);
  if (!tableAllowsRole(call.principal.subject, { role: role.name, organizationId: role.organizationId })) {
    throw forbidden('Deleting a role takes it from its holders, and your roles do not let you take this one.');
  }
  // The row first: whoever is being given the role holds a lock on it until they have it.
  await call.db.customRole.delete({ where: { id: role.id }, select: { id: true } });
  const holders = await holdersOf(call.db, role);
  await takeFromAll(call.db, { ...role, now: call.services.clock.now() });
  await announceRightsOfAll(call, holders);
  call.audit.update({ before: auditedRole(role) });
  return [presentCustomRole(role)];
}

/** The role to change. Nobody changes one that grants more than they hold: its holders have more rights than they. */
async function permittedRole(call: UserCall, input: { organization?: string }, name: string): Promise<CustomRole> {
  const place = await findPlace(call, input);
  const role = await findCustomRole(call.db, { name, organizationId: place.organizationId });
  if (role !== null) call.audit.set({ resourceId: role.id, target: role.name, organizationId: role.organizationId });
  requirePlace(call, place);
  if (isBuiltInName(name)) throw invalidField('name', 'Is a built-in role, which cannot be changed.');
  if (role === null) throw notFound();
  if (!coversCustomRole(call.principal.subject, role)) throw forbidden('This role grants more than you hold yourself.');
  return role;
}

function changed(role: CustomRole, input: Definition): CustomRole {
  return {
    ...role,
    displayName: input.display_name ?? role.displayName,
    site: input.site_permissions ?? role.site,
    organization: input.organization_permissions ?? role.organization,
    user: input.user_permissions ?? role.user,
  };
}

function columns(
  role: CustomRole,
): Pick<Prisma.CustomRoleUncheckedCreateInput, 'displayName' | 'sitePermissions' | 'organizationPermissions' | 'userPermissions'> {
  return {
    displayName: role.displayName,
    sitePermissions: [...role.site],
    organizationPermissions: [...role.organization],
    userPermissions: [...role.user],
  };
}
