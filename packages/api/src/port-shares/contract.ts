import { queryInt, uuid } from '@berth/core';
import { PORT_PROTOCOLS, SHARING_LEVELS } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

const SHARED_PORT_MIN = 9;
const SHARED_PORT_MAX = 65_535;

const WorkspacePath = z.object({ workspace: uuid() });

export const PortShare = z
  .object({
    workspace_id: uuid(),
    agent_name: z.string(),
    port: z.int(),
    share_level: z.enum(SHARING_LEVELS),
    protocol: z.enum(PORT_PROTOCOLS),
  })
  .meta({ id: 'WorkspaceAgentPortShare', description: 'A port of an agent that others than the owner may open.' });
export type PortShare = z.output<typeof PortShare>;

export const PortShares = z
  .object({ shares: z.array(PortShare).meta({ description: 'By port.' }) })
  .meta({ id: 'WorkspaceAgentPortShares', description: 'The shared ports of a workspace; every other port is its owner’s alone.' });
export type PortShares = z.output<typeof PortShares>;

export const ListPortShares = WorkspacePath;

export const UpsertPortShare = WorkspacePath.extend({
  agent_name: z.string().min(1).max(64),
  port: z.int().min(SHARED_PORT_MIN).max(SHARED_PORT_MAX),
  share_level: z.enum(SHARING_LEVELS).meta({ description: '`authenticated` or `public`; for the owner alone, delete the share.' }),
  protocol: z.enum(PORT_PROTOCOLS).default('http').meta({ description: 'What the program behind the port speaks.' }),
}).meta({ id: 'UpsertWorkspaceAgentPortShareRequest' });

export const DeletePortShare = WorkspacePath.extend({
  agent_name: z.string().min(1).max(64),
  port: queryInt(1, SHARED_PORT_MAX),
}).meta({ id: 'DeleteWorkspaceAgentPortShareRequest' });

export const routes = {
  list: route({
    method: 'GET',
    path: '/workspaces/{workspace}/port-share',
    tag: 'PortSharing',
    id: 'get-workspace-agent-port-shares',
    summary: 'List the shared ports of a workspace',
    errors: ['not_found'],
  }),
  upsert: route({
    method: 'POST',
    path: '/workspaces/{workspace}/port-share',
    tag: 'PortSharing',
    id: 'upsert-workspace-agent-port-share',
    summary: 'Share a port of a workspace, or change how it is shared',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/workspaces/{workspace}/port-share',
    tag: 'PortSharing',
    id: 'delete-workspace-agent-port-share',
    summary: 'Stop sharing a port of a workspace',
    description: 'The port is named in the query or in the body.',
    takesBody: true,
    errors: ['forbidden', 'not_found'],
  }),
};
