import type { Role as RoleDefinition, PermissionRule } from '@berth/rbac';
import { roleDisplayName } from '@berth/rbac';
import type { z } from 'zod';
import type { SlimRole } from '../users/contract.ts';
import type { AssignableRole, Permission, Role } from './contract.ts';
import { RbacAction } from './contract.ts';
import type { CustomRole } from './role-rows.ts';

export function presentCustomRole(role: CustomRole): Role {
  return {
    name: role.name,
    display_name: shownName(role),
    organization_id: role.organizationId,
    site_permissions: [...role.site],
    organization_permissions: [...role.organization],
    user_permissions: [...role.user],
  };
}

export function presentBuiltInRole(role: RoleDefinition, organizationId: string | null, assignable: boolean): AssignableRole {
  return {
    name: role.name,
    display_name: role.displayName,
    organization_id: organizationId,
    site_permissions: role.site.map(presentRule),
    organization_permissions: role.organization.map(presentRule),
    user_permissions: role.user.map(presentRule),
    assignable,
    built_in: true,
  };
}

/** A role as it stands beside the person who has it. `displayNames` are those of the custom roles of its place. */
export function presentHeldRole(
  name: string,
  { organizationId, displayNames }: { organizationId: string | null; displayNames: ReadonlyMap<string, string> },
): z.output<typeof SlimRole> {
  return { name, display_name: roleDisplayName(name, displayNames.get(name) ?? name), organization_id: organizationId ?? '' };
}

/** What people read for a custom role: its name when it has nothing better. */
export function shownName(role: Pick<CustomRole, 'name' | 'displayName'>): string {
  return role.displayName === '' ? role.name : role.displayName;
}

function presentRule({ negate, resourceType, action }: PermissionRule): Permission {
  return { negate, resource_type: resourceType, action: RbacAction.parse(action) };
}
