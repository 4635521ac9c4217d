import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
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

export const routes = {
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
