import type { Outputs } from '../../api/trpc.ts';
import { permissionLines } from '../account/permission-words.ts';

export type AssignableRole = Outputs['roles']['listSite'][number];
export type RolePermission = AssignableRole['site_permissions'][number];

/** What each built-in role is for, so that nobody has to read its permissions. */
const BUILT_IN: Readonly<Record<string, string>> = {
  owner: 'Everything, everywhere, except to start or enter what is dormant.',
  'template-admin': 'Makes, changes and deletes all templates, and sees every workspace and who uses it.',
  'user-admin': 'Makes and manages accounts, groups and memberships, and says how sign-on fills them.',
  auditor: 'Reads the audit log, templates, users and groups of the whole site. Changes nothing.',
  'organization-admin': 'Everything in this organization, except to enter other people’s workspaces.',
  'organization-auditor': 'Reads the audit log of this organization. Changes nothing.',
  'organization-user-admin': 'Manages the members and groups of this organization, and how sign-on fills them.',
  'organization-template-admin': 'Makes, changes and deletes the templates of this organization, and sees its workspaces.',
};

/** What a role may do, in a sentence. */
export function roleDescription(role: AssignableRole): string {
  const known = role.built_in ? BUILT_IN[role.name] : undefined;
  if (known !== undefined) return known;
  const lines = [
    ...permissionLines(permissionNames([...role.site_permissions, ...role.organization_permissions])),
    ...permissionLines(permissionNames(role.user_permissions)).map((line) => `${line} (their own)`),
  ];
  return lines.length === 0 ? 'Grants nothing.' : `${lines.join('; ')}.`;
}

/** Permissions as one word each: `workspace:read`. What takes a permission away is left out. */
export function permissionNames(permissions: readonly RolePermission[]): string[] {
  return permissions.filter(({ negate }) => !negate).map(({ resource_type: type, action }) => `${type}:${action}`);
}
