import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';

export const Organization = z
  .object({
    id: uuid(),
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    icon: z.string(),
    is_default: z.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Organization', description: 'Holds members, groups, templates and workspaces.' });
export type Organization = z.output<typeof Organization>;

export const MinimalOrganization = z
  .object({ id: uuid(), name: z.string(), display_name: z.string(), icon: z.string() })
  .meta({ id: 'MinimalOrganization' });
export type MinimalOrganization = z.output<typeof MinimalOrganization>;

/** Wherever an organization is named in a path or a filter. */
export const organizationParam = () =>
  z.string().min(1).max(64).meta({
    description: 'An organization id or name; `default` and the zero UUID mean the default one.',
  });

export const OrganizationPath = z.object({ organization: organizationParam() });

const Description = z.string().max(1024);
const Icon = z.string().max(2048);

export const CreateOrganization = z
  .object({
    name: nameField('organization_name'),
    display_name: nameField('display_name').optional().meta({ description: 'The name, when absent or empty.' }),
    description: Description.default(''),
    icon: Icon.default(''),
  })
  .meta({ id: 'CreateOrganizationRequest' });

/** What is absent stays as it is, and so does a name or display name that is empty. */
export const UpdateOrganization = OrganizationPath.extend({
  // Held to the rule of names in the use case, which knows the name that it has: the default organization's is a reserved one.
  name: z.string().max(1000).optional(),
  display_name: nameField('display_name').optional(),
  description: Description.optional(),
  icon: Icon.optional(),
}).meta({ id: 'UpdateOrganizationRequest' });

export const routes = {
  create: route({
    method: 'POST',
    path: '/organizations',
    tag: 'Organizations',
    id: 'create-organization',
    summary: 'Create an organization, and join it',
    status: 201,
    errors: ['forbidden', 'conflict'],
  }),
  update: route({
    method: 'PATCH',
    path: '/organizations/{organization}',
    tag: 'Organizations',
    id: 'update-organization',
    summary: 'Change an organization',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/organizations/{organization}',
    tag: 'Organizations',
    id: 'delete-organization',
    summary: 'Delete an organization and everything in it',
    description: 'Refused for the default organization, and while a workspace of it, even a deleted one, is on record.',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/organizations',
    tag: 'Organizations',
    id: 'get-organizations',
    summary: 'List organizations',
  }),
  get: route({
    method: 'GET',
    path: '/organizations/{organization}',
    tag: 'Organizations',
    id: 'get-organization-by-id',
    summary: 'Get an organization',
    errors: ['not_found'],
  }),
};
