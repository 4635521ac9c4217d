import type { Validation } from '@berth/core';
import type { PermissionRule, Role as RoleDefinition, Subject } from '@berth/rbac';
import { coversRole, isOrganizationRoleName, isPermission, isSiteRoleName } from '@berth/rbac';
import type { Permission } from './contract.ts';
import type { CustomRole } from './role-rows.ts';
import { roleDefinition } from './role-rows.ts';

/** How many custom roles one place may have. */
export const CUSTOM_ROLES_MAX = 500;

export function isBuiltInName(name: string): boolean {
  const lower = name.toLowerCase();
  return isSiteRoleName(lower) || isOrganizationRoleName(lower);
}

/**
 * All that is wrong with what a custom role is to grant, by field: permissions of another place, lines that exist nowhere, and what its
 * maker does not hold in this very place.
 */
export function permissionProblems(maker: Subject, role: CustomRole): Validation[] {
  const { organizationId } = role;
  const ofSite = 'only a role of the site may have these';
  const ofOrganization = 'only a role of an organization may have these';
  return [
    ...(organizationId === null ? [] : misplaced('site_permissions', role.site, ofSite)),
    ...(organizationId === null ? misplaced('organization_permissions', role.organization, ofOrganization) : []),
    ...(organizationId === null ? [] : misplaced('user_permissions', role.user, ofSite)),
    ...lineProblems('site_permissions', role.site, (site) => holds(maker, { site }, organizationId)),
    ...lineProblems('organization_permissions', role.organization, (organization) => holds(maker, { organization }, organizationId)),
    ...lineProblems('user_permissions', role.user, (user) => holds(maker, { user }, organizationId)),
  ];
}

/** Whether `actor` holds everything that a custom role grants now. */
export function coversCustomRole(actor: Subject, role: CustomRole): boolean {
  return coversRole(actor, roleDefinition(role), role.organizationId);
}

function misplaced(field: string, permissions: readonly Permission[], detail: string): Validation[] {
  return permissions.length === 0 ? [] : [{ field, detail }];
}

function lineProblems(field: string, permissions: readonly Permission[], isHeld: (rules: PermissionRule[]) => boolean): Validation[] {
  return permissions.flatMap((permission, index) => {
    const detail = lineProblem(permission, isHeld);
    return detail === null ? [] : [{ field: `${field}.${index}`, detail }];
  });
}

function lineProblem(
  { negate, resource_type: resourceType, action }: Permission,
  isHeld: (rules: PermissionRule[]) => boolean,
): string | null {
  if (negate) return 'a role that is defined here only grants: leave out what it must not do';
  if (resourceType === '*' || action === '*') return 'name one type and one action; `*` is not taken';
  if (!isPermission(`${resourceType}:${action}`)) return `nothing of type ${resourceType} knows the action ${action}`;
  return isHeld([{ negate: false, resourceType, action }]) ? null : `you do not hold ${resourceType}:${action} yourself`;
}

function holds(maker: Subject, levels: Partial<RoleDefinition>, organizationId: string | null): boolean {
  return coversRole(maker, { name: '', displayName: '', site: [], organization: [], user: [], ...levels }, organizationId);
}
