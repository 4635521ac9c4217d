import type { Role as RoleDefinition } from '@berth/rbac';
import {
  ASSIGNABLE_ORGANIZATION_ROLES,
  ASSIGNABLE_SITE_ROLES,
  coversRole,
  ORGANIZATION_ROLES,
  SITE_ROLES,
  tableAllowsRole,
} from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import type { AssignableRole } from './contract.ts';
import { presentBuiltInRole, presentCustomRole } from './presenter.ts';
import type { RolePlace } from './role-place.ts';
import { findPlace, requirePlace, rolesObject } from './role-place.ts';
import { listCustomRoles, roleDefinition } from './role-rows.ts';

/** The roles of the site: the built-in ones that somebody can be given, then the custom ones by name. */
export async function listSiteRoles(call: UserCall): Promise<AssignableRole[]> {
  const place = { organizationId: null };
  requirePlace(call, place);
  return await listRoles(
    call,
    place,
    ASSIGNABLE_SITE_ROLES.map((name) => SITE_ROLES[name]),
  );
}

export async function listOrganizationRoles(call: UserCall, input: { organization: string }): Promise<AssignableRole[]> {
  const place = await findPlace(call, input);
  requirePlace(call, place);
  return await listRoles(
    call,
    place,
    ASSIGNABLE_ORGANIZATION_ROLES.map((name) => ORGANIZATION_ROLES[name]),
  );
}

async function listRoles(call: UserCall, place: RolePlace, builtIn: readonly RoleDefinition[]): Promise<AssignableRole[]> {
  const { organizationId } = place;
  const { subject } = call.principal;
  const mayAssign = call.authorize.can('assign', rolesObject(place));
  const isAssignable = (role: RoleDefinition): boolean => mayAssign && tableAllowsRole(subject, { role: role.name, organizationId });
  const custom = await listCustomRoles(call.db, organizationId);
  return [
    ...builtIn.map((role) => presentBuiltInRole(role, organizationId, isAssignable(role))),
    ...custom.map((role) => {
      const definition = roleDefinition(role);
      return {
        ...presentCustomRole(role),
        assignable: isAssignable(definition) && coversRole(subject, definition, organizationId),
        built_in: false,
      };
    }),
  ];
}
