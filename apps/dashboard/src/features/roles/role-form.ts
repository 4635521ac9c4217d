import { isPermission, permissionParts } from '@berth/rbac/resources';
import type { AssignableRole, RolePermission } from './role-words.ts';
import { permissionNames } from './role-words.ts';

export interface RoleValues {
  readonly name: string;
  readonly display_name: string;
  /** Over everything in the place of the role: the site, or the organization. */
  readonly everywhere: readonly string[];
  /** Over what the holder owns; only in roles of the site. */
  readonly own: readonly string[];
}

export const ROLE_FIELDS = ['name', 'display_name'] as const;

/** What the form begins with: the role as it is, or nothing. */
export function roleValues(role: AssignableRole | null): RoleValues {
  if (role === null) return { name: '', display_name: '', everywhere: [], own: [] };
  return {
    name: role.name,
    display_name: role.display_name,
    everywhere: permissionNames([...role.site_permissions, ...role.organization_permissions]),
    own: permissionNames(role.user_permissions),
  };
}

/** Names of permissions as lines of a role. What is no permission is left out. */
export function permissionLinesOf(names: readonly string[]): RolePermission[] {
  return names.filter(isPermission).map((name) => {
    const { type, action } = permissionParts(name);
    return { negate: false, resource_type: type, action };
  });
}
