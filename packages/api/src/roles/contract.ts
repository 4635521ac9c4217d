import { uuid } from '@berth/core';
import { RESOURCE_ACTIONS, RESOURCE_TYPES } from '@berth/rbac/resources';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { OrganizationPath } from '../organizations/contract.ts';

/** Everything that can be acted on; `*` stands for every type, in what is stored. */
export const RBAC_RESOURCES = ['*', ...RESOURCE_TYPES] as const;
export const RbacResource = z.enum(RBAC_RESOURCES).meta({ id: 'RBACResource' });
/** Every word for an action; each resource type knows some of them. `use` is a word that no type knows. */
export const RBAC_ACTIONS = ['use', '*', ...new Set(Object.values(RESOURCE_ACTIONS).flat())] as const;
export const RbacAction = z.enum(RBAC_ACTIONS).meta({ id: 'RBACAction' });

export const Permission = z
  .object({
    negate: z.boolean().default(false),
    resource_type: RbacResource,
    action: RbacAction,
  })
  .meta({ id: 'Permission', description: 'One line of a role: what it lets its holder do, or, negated, keeps from them.' });
export type Permission = z.output<typeof Permission>;

const role = {
  name: z.string(),
  display_name: z.string(),
  organization_id: uuid()
    .nullable()
    .meta({ description: 'The organization in which the role is held; null for a role of the whole site.' }),
  site_permissions: z.array(Permission),
  organization_permissions: z.array(Permission),
  user_permissions: z.array(Permission).meta({ description: 'What the holder may do to what they own.' }),
};

export const Role = z.object(role).meta({ id: 'Role', description: 'A custom role with its permissions.' });
export type Role = z.output<typeof Role>;

export const AssignableRole = z
  .object({
    ...role,
    assignable: z.boolean().meta({ description: 'Whether the caller may give this role to others.' }),
    built_in: z.boolean(),
  })
  .meta({ id: 'AssignableRoles', description: 'A role that somebody can be given.' });
export type AssignableRole = z.output<typeof AssignableRole>;

const Permissions = z.array(Permission).max(500).optional();

/** What a custom role is to be. In an update, what is absent stays as it is. */
const customRole = {
  name: nameField('name'),
  display_name: nameField('display_name').optional(),
  site_permissions: Permissions.meta({ description: 'Only in roles of the site.' }),
  organization_permissions: Permissions.meta({ description: 'Only in roles of an organization.' }),
  user_permissions: Permissions.meta({ description: 'Only in roles of the site.' }),
};

export const SiteRole = z.object(customRole).meta({ id: 'CustomSiteRoleRequest' });
export const OrganizationRole = OrganizationPath.extend(customRole).meta({ id: 'CustomRoleRequest' });

const roleName = z.string().min(1).max(64);
export const SiteRolePath = z.object({ roleName });
export const OrganizationRolePath = OrganizationPath.extend({ roleName });

export const routes = {
  listSite: route({
    method: 'GET',
    path: '/users/roles',
    tag: 'Members',
    id: 'get-site-member-roles',
    summary: 'List the roles of the site',
    errors: ['forbidden'],
  }),
  createSite: route({
    method: 'POST',
    path: '/users/roles',
    tag: 'Members',
    id: 'insert-a-custom-site-role',
    summary: 'Define a custom role of the site',
    errors: ['forbidden'],
  }),
  updateSite: route({
    method: 'PUT',
    path: '/users/roles',
    tag: 'Members',
    id: 'upsert-a-custom-site-role',
    summary: 'Change a custom role of the site',
    errors: ['forbidden', 'not_found'],
  }),
  deleteSite: route({
    method: 'DELETE',
    path: '/users/roles/{roleName}',
    tag: 'Members',
    id: 'delete-a-custom-site-role',
    summary: 'Delete a custom role of the site, and take it from everyone',
    errors: ['forbidden', 'not_found'],
  }),
  listOrganization: route({
    method: 'GET',
    path: '/organizations/{organization}/members/roles',
    tag: 'Members',
    id: 'get-member-roles-by-organization',
    summary: 'List the roles of an organization',
    errors: ['not_found'],
  }),
  createOrganization: route({
    method: 'POST',
    path: '/organizations/{organization}/members/roles',
    tag: 'Members',
    id: 'insert-a-custom-organization-role',
    summary: 'Define a custom role of an organization',
    errors: ['forbidden', 'not_found'],
  }),
  updateOrganization: route({
    method: 'PUT',
    path: '/organizations/{organization}/members/roles',
    tag: 'Members',
    id: 'upsert-a-custom-organization-role',
    summary: 'Change a custom role of an organization',
    errors: ['forbidden', 'not_found'],
  }),
  deleteOrganization: route({
    method: 'DELETE',
    path: '/organizations/{organization}/members/roles/{roleName}',
    tag: 'Members',
    id: 'delete-a-custom-organization-role',
    summary: 'Delete a custom role of an organization, and take it from everyone',
    errors: ['forbidden', 'not_found'],
  }),
};
