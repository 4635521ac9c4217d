import { isUuid, timestamp, uuid } from '@berth/core';
import { PROXY_STATUSES } from '@berth/domain';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';

export const WorkspaceProxyStatus = z
  .object({
    status: z.enum(PROXY_STATUSES).meta({ id: 'ProxyHealthStatus' }),
    checked_at: timestamp().nullable(),
    report: z.object({ errors: z.array(z.string()), warnings: z.array(z.string()) }).meta({ id: 'ProxyHealthReport' }),
  })
  .meta({
    id: 'WorkspaceProxyStatus',
    description: 'The latest check of the proxy; `checked_at` is null before the first one.',
  });

const proxy = {
  id: uuid(),
  name: z.string(),
  display_name: z.string(),
  icon_url: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted: z.boolean(),
  derp_enabled: z.boolean(),
  derp_only: z.boolean(),
  healthy: z.boolean(),
  version: z.string(),
  path_app_url: z.string().meta({ description: 'Where path apps are served; empty until the proxy registers.' }),
  wildcard_hostname: z.string(),
  status: WorkspaceProxyStatus,
};

export const WorkspaceProxy = z.object(proxy).meta({
  id: 'WorkspaceProxy',
  description: 'Serves workspace apps and relays connections in another region.',
});
export type WorkspaceProxy = z.output<typeof WorkspaceProxy>;

export const WorkspaceProxyWithToken = z
  .object({
    ...proxy,
    proxy_token: z.string().optional().meta({ description: 'The proxy’s own credential, shown only when it was just made.' }),
  })
  .meta({ id: 'WorkspaceProxyWithToken' });
export type WorkspaceProxyWithToken = z.output<typeof WorkspaceProxyWithToken>;

export const WorkspaceProxies = z.object({ regions: z.array(WorkspaceProxy) }).meta({ id: 'WorkspaceProxiesResponse' });

export const Regions = z
  .object({
    regions: z.array(
      z
        .object({
          id: uuid(),
          name: z.string(),
          display_name: z.string(),
          icon_url: z.string(),
          healthy: z.boolean(),
          path_app_url: z.string(),
          wildcard_hostname: z.string(),
        })
        .meta({ id: 'Region' }),
    ),
  })
  .meta({ id: 'RegionsResponse', description: 'Where workspaces can be reached: the server itself first.' });
export type Regions = z.output<typeof Regions>;

/** A path finds a proxy by id or by name, so no name may look like an id. */
const isNoId = (name: string): boolean => !isUuid(name);
const NO_ID = 'Must not look like an id.';
const DisplayName = nameField('display_name');
const Icon = z.string().max(2048);

export const CreateWorkspaceProxy = z
  .object({
    name: nameField('proxy_name').refine(isNoId, NO_ID),
    display_name: DisplayName.default(''),
    icon: Icon.default(''),
  })
  .meta({ id: 'CreateWorkspaceProxyRequest' });

export const WorkspaceProxyPath = z.object({
  workspaceproxy: z.string().min(1).max(64).meta({
    description: 'A proxy id or name; `primary` and the deployment id mean the built-in one.',
  }),
});

/** Absent fields stay as they are. */
export const UpdateWorkspaceProxy = WorkspaceProxyPath.extend({
  id: uuid().optional().meta({ description: 'If given, must be the id of the proxy in the path.' }),
  name: z.string().max(255).refine(isNoId, NO_ID).optional(),
  display_name: DisplayName.optional(),
  icon: Icon.optional(),
  regenerate_token: z.boolean().default(false),
}).meta({ id: 'PatchWorkspaceProxy' });

export const DeleteWorkspaceProxyResponse = Confirmation;

export const routes = {
  regions: route({
    method: 'GET',
    path: '/regions',
    tag: 'WorkspaceProxies',
    id: 'get-site-wide-regions-for-workspace-connections',
    summary: 'Get site-wide regions for workspace connections',
  }),
  list: route({
    method: 'GET',
    path: '/workspaceproxies',
    tag: 'Enterprise',
    id: 'get-workspace-proxies',
    summary: 'List workspace proxies',
    description: 'An array of one object, whose `regions` begin with the built-in primary proxy.',
  }),
  create: route({
    method: 'POST',
    path: '/workspaceproxies',
    tag: 'Enterprise',
    id: 'create-workspace-proxy',
    summary: 'Create a workspace proxy',
    status: 201,
    errors: ['forbidden', 'conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/workspaceproxies/{workspaceproxy}',
    tag: 'Enterprise',
    id: 'get-workspace-proxy',
    summary: 'Get a workspace proxy',
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/workspaceproxies/{workspaceproxy}',
    tag: 'Enterprise',
    id: 'update-workspace-proxy',
    summary: 'Update a workspace proxy',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/workspaceproxies/{workspaceproxy}',
    tag: 'Enterprise',
    id: 'delete-workspace-proxy',
    summary: 'Delete a workspace proxy',
    errors: ['forbidden', 'not_found'],
  }),
};
