import { can } from './authorize.ts';
import type { OrganizationRoleName, SiteRoleName } from './roles.ts';
import { isOrganizationRoleName, isSiteRoleName, ORGANIZATION_ROLE_NAMES, SITE_ROLE_NAMES } from './roles.ts';
import type { Subject } from './subject.ts';

interface Assignable {
  readonly site: readonly SiteRoleName[];
  readonly organization: readonly OrganizationRoleName[];
  /** Custom roles: of the organization in question, or of the site. */
  readonly custom: boolean;
}

/** Which roles the holder of a role may give and take. Organization roles count only in the organization where they are held. */
export const ASSIGNMENT_TABLE: Readonly<Partial<Record<SiteRoleName | OrganizationRoleName, Assignable>>> = {
  owner: { site: SITE_ROLE_NAMES, organization: ORGANIZATION_ROLE_NAMES, custom: true },
  'user-admin': { site: ['member'], organization: ['organization-member'], custom: false },
  'organization-admin': { site: [], organization: ORGANIZATION_ROLE_NAMES, custom: true },
  'organization-user-admin': { site: [], organization: ['organization-member'], custom: false },
};

/** A role in the place where it is given: site-wide, or in one organization. */
export interface RolePlace {
  readonly role: string;
  readonly organizationId: string | null;
}

/** Whether the assignment table lets `actor` give or take this role. Says nothing about the permission, which is needed besides. */
export function tableAllowsRole(actor: Subject, { role, organizationId }: RolePlace): boolean {
  const held = [...actor.roles, ...(organizationId === null ? [] : (actor.organizations.get(organizationId) ?? []))];
  return held.some((name) => {
    if (!isSiteRoleName(name) && !isOrganizationRoleName(name)) return false;
    const assignable = ASSIGNMENT_TABLE[name];
    if (assignable === undefined) return false;
    if (isSiteRoleName(role)) return organizationId === null && assignable.site.includes(role);
    if (isOrganizationRoleName(role)) return organizationId !== null && assignable.organization.includes(role);
    return assignable.custom;
  });
}

export type RoleChangeProblem =
  /** Nobody changes their own roles. */
  | 'own_roles'
  /** No such role, neither built in nor among the custom ones of this place. */
  | 'unknown_role'
  /** A site role in an organization, or the reverse. */
  | 'wrong_level'
  /** The assignment table does not let the actor give or take this role. */
  | 'not_assignable'
  /** The actor lacks `assign_role` or `assign_org_role` here. */
  | 'not_permitted';

export interface RoleChange extends RolePlace {
  readonly targetUserId: string;
  readonly change: 'assign' | 'delete';
  /** Names of the custom roles of the place: of the organization, or of the site. */
  readonly customRoleNames?: readonly string[];
}

/**
 * Why `actor` may not make this change of roles, or null if they may. `not_permitted` is a 403, the rest are 400. Besides, whoever gives
 * a custom role must hold what it grants: ask `coversRole`.
 */
export function roleChangeProblem(actor: Subject, change: RoleChange): RoleChangeProblem | null {
  const { role, organizationId } = change;
  if (change.targetUserId === actor.id) return 'own_roles';
  const isCustom = (change.customRoleNames ?? []).includes(role);
  if (!isSiteRoleName(role) && !isOrganizationRoleName(role) && !isCustom) return 'unknown_role';
  if (organizationId === null ? isOrganizationRoleName(role) : isSiteRoleName(role)) return 'wrong_level';
  const isPermitted =
    organizationId === null
      ? can(actor, change.change, { type: 'assign_role' })
      : can(actor, change.change, { type: 'assign_org_role', organizationId });
  if (!isPermitted) return 'not_permitted';
  return tableAllowsRole(actor, change) ? null : 'not_assignable';
}
