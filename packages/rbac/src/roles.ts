import type { ActionOf, ResourceType } from './resources.ts';
import { RESOURCE_ACTIONS, RESOURCE_TYPES } from './resources.ts';

/** One line of a role. `*` stands for every type or every action; `negate` takes the permission away at its level. */
export interface PermissionRule {
  readonly negate: boolean;
  readonly resourceType: ResourceType | '*';
  readonly action: string;
}

/**
 * A role as data. `site` counts for every object, `organization` for objects of the organization in which the role is held, `user` for
 * objects that the holder owns.
 */
export interface Role {
  readonly name: string;
  /** Empty for roles that everybody holds and nobody is shown. */
  readonly displayName: string;
  readonly site: readonly PermissionRule[];
  readonly organization: readonly PermissionRule[];
  readonly user: readonly PermissionRule[];
}

export const SITE_ROLE_NAMES = ['owner', 'template-admin', 'user-admin', 'auditor', 'member'] as const;
export type SiteRoleName = (typeof SITE_ROLE_NAMES)[number];

export const ORGANIZATION_ROLE_NAMES = [
  'organization-admin',
  'organization-member',
  'organization-auditor',
  'organization-user-admin',
  'organization-template-admin',
] as const;
export type OrganizationRoleName = (typeof ORGANIZATION_ROLE_NAMES)[number];

/** Held by every user without being stored. */
export const IMPLIED_SITE_ROLE = 'member' satisfies SiteRoleName;
/** Held by every member of an organization without being stored. */
export const IMPLIED_ORGANIZATION_ROLE = 'organization-member' satisfies OrganizationRoleName;

/** Site roles that `PUT /users/{user}/roles` and the role list know: all but the implied one. */
export const ASSIGNABLE_SITE_ROLES: readonly SiteRoleName[] = SITE_ROLE_NAMES.filter((name) => name !== IMPLIED_SITE_ROLE);
/** Organization roles that a member may be given: all but the implied one. */
export const ASSIGNABLE_ORGANIZATION_ROLES: readonly OrganizationRoleName[] = ORGANIZATION_ROLE_NAMES.filter(
  (name) => name !== IMPLIED_ORGANIZATION_ROLE,
);

type Grants = { readonly [T in ResourceType]?: readonly ActionOf<T>[] };

function allow(grants: Grants): PermissionRule[] {
  return RESOURCE_TYPES.flatMap((resourceType) =>
    (grants[resourceType] ?? []).map((action) => ({ negate: false, resourceType, action: action as string })),
  );
}

/** Every action of every type, except where `exceptions` names a type: there only what it lists. */
function everythingExcept(exceptions: Grants): PermissionRule[] {
  return RESOURCE_TYPES.flatMap((resourceType) =>
    (exceptions[resourceType] ?? RESOURCE_ACTIONS[resourceType]).map((action) => ({
      negate: false,
      resourceType,
      action: action as string,
    })),
  );
}

/** A dormant workspace can be looked at, stopped, deleted and woken up, but neither started nor entered. */
const DORMANT = ['create', 'read', 'update', 'delete', 'stop'] as const;
const WORKSPACE_WITHOUT_ENTRY = ['create', 'read', 'update', 'delete', 'start', 'stop'] as const;
const CRUD = ['create', 'read', 'update', 'delete'] as const;
const TEMPLATE = RESOURCE_ACTIONS.template;

export const SITE_ROLES: Readonly<Record<SiteRoleName, Role>> = {
  owner: {
    name: 'owner',
    displayName: 'Owner',
    site: everythingExcept({ workspace_dormant: DORMANT }),
    organization: [],
    user: [],
  },
  'template-admin': {
    name: 'template-admin',
    displayName: 'Template Admin',
    site: allow({
      template: TEMPLATE,
      file: ['create', 'read'],
      workspace: ['read'],
      provisioner_daemon: CRUD,
      organization: ['read'],
      user: ['read'],
      group: ['read'],
      group_member: ['read'],
      organization_member: ['read'],
    }),
    organization: [],
    user: [],
  },
  'user-admin': {
    name: 'user-admin',
    displayName: 'User Admin',
    site: allow({
      assign_role: ['assign', 'delete', 'read'],
      assign_org_role: ['assign', 'delete', 'read'],
      user: RESOURCE_ACTIONS.user,
      organization_member: CRUD,
      group: CRUD,
      group_member: ['read'],
      idpsync_settings: ['read', 'update'],
    }),
    organization: [],
    user: [],
  },
  auditor: {
    name: 'auditor',
    displayName: 'Auditor',
    site: allow({
      template: ['read', 'view_insights'],
      audit_log: ['read'],
      user: ['read'],
      group: ['read'],
      group_member: ['read'],
      deployment_stats: ['read'],
      deployment_config: ['read'],
      organization_member: ['read'],
    }),
    organization: [],
    user: [],
  },
  member: {
    name: 'member',
    displayName: 'Member',
    site: allow({ assign_role: ['read'], oauth2_app: ['read'], workspace_proxy: ['read'] }),
    organization: [],
    user: everythingExcept({
      workspace_dormant: DORMANT,
      user: ['read', 'read_personal', 'update_personal'],
      organization_member: [],
      provisioner_daemon: ['create', 'read', 'update'],
    }),
  },
};

export const ORGANIZATION_ROLES: Readonly<Record<OrganizationRoleName, Role>> = {
  'organization-admin': {
    name: 'organization-admin',
    displayName: 'Organization Admin',
    site: allow({ user: ['read'] }),
    organization: everythingExcept({
      assign_role: [],
      workspace: WORKSPACE_WITHOUT_ENTRY,
      workspace_dormant: DORMANT,
    }),
    user: [],
  },
  'organization-member': {
    name: 'organization-member',
    displayName: '',
    site: [],
    organization: allow({ provisioner_daemon: ['read'], organization: ['read'], assign_org_role: ['read'] }),
    user: allow({ organization_member: ['read'] }),
  },
  'organization-auditor': {
    name: 'organization-auditor',
    displayName: 'Organization Auditor',
    site: [],
    organization: allow({ audit_log: ['read'] }),
    user: [],
  },
  'organization-user-admin': {
    name: 'organization-user-admin',
    displayName: 'Organization User Admin',
    site: allow({ user: ['read'] }),
    organization: allow({
      assign_org_role: ['assign', 'delete', 'read'],
      organization_member: CRUD,
      group: CRUD,
      group_member: ['read'],
      idpsync_settings: ['read', 'update'],
    }),
    user: [],
  },
  'organization-template-admin': {
    name: 'organization-template-admin',
    displayName: 'Organization Template Admin',
    site: [],
    organization: allow({
      template: TEMPLATE,
      file: ['create', 'read'],
      workspace: ['read'],
      organization_member: ['read'],
      group: ['read'],
      group_member: ['read'],
    }),
    user: [],
  },
};

/** The owner role of a deployment that forbids administrators to enter other people's workspaces. */
export const OWNER_WITHOUT_WORKSPACE_ENTRY: Role = {
  ...SITE_ROLES.owner,
  site: everythingExcept({ workspace: WORKSPACE_WITHOUT_ENTRY, workspace_dormant: DORMANT }),
};

export function isSiteRoleName(text: string): text is SiteRoleName {
  return Object.hasOwn(SITE_ROLES, text);
}

export function isOrganizationRoleName(text: string): text is OrganizationRoleName {
  return Object.hasOwn(ORGANIZATION_ROLES, text);
}

/** What a role is called for people. A custom role that is not built in shows `fallback`. */
export function roleDisplayName(name: string, fallback = name): string {
  if (isSiteRoleName(name)) return SITE_ROLES[name].displayName;
  if (isOrganizationRoleName(name)) return ORGANIZATION_ROLES[name].displayName;
  return fallback;
}
