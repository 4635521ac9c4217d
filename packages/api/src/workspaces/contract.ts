import { pageLimit, pageOffset, queryBool, timestamp, uuid } from '@berth/core';
import { AUTOMATIC_UPDATES, WORKSPACE_SORTS } from '@berth/domain';
import { z } from 'zod';
import { RichParameterValues, WorkspaceBuild } from '../builds/contract.ts';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { bulkRoutes } from './bulk/contract.ts';
import { settingsRoutes } from './settings/contract.ts';

export * from './bulk/contract.ts';
export * from './settings/contract.ts';

export const Workspace = z
  .object({
    id: uuid(),
    name: z.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_used_at: timestamp(),
    organization_id: uuid(),
    organization_name: z.string(),
    owner_id: uuid(),
    owner_name: z.string(),
    owner_avatar_url: z.string(),
    template_id: uuid(),
    template_name: z.string(),
    template_display_name: z.string(),
    template_icon: z.string(),
    template_active_version_id: uuid(),
    template_allow_user_cancel_workspace_jobs: z.boolean(),
    template_require_active_version: z.boolean(),
    allow_renames: z.boolean(),
    automatic_updates: z.enum(AUTOMATIC_UPDATES),
    autostart_schedule: z.string().nullable(),
    ttl_ms: z.int().nullable(),
    favorite: z.boolean().meta({ description: 'True only for the owner of the workspace.' }),
    outdated: z.boolean().meta({ description: 'The latest build is not on the template’s active version.' }),
    dormant_at: timestamp().nullable(),
    deleting_at: timestamp().nullable(),
    health: z.object({ healthy: z.boolean(), failing_agents: z.array(uuid()) }).meta({
      id: 'WorkspaceHealth',
      description: 'Agents of the latest build that are not well.',
    }),
    latest_build: WorkspaceBuild,
  })
  .meta({ id: 'Workspace', description: 'A development environment of one user.' });
export type Workspace = z.output<typeof Workspace>;

export const WorkspacePage = z
  .object({
    workspaces: z.array(Workspace),
    count: z.int().meta({ description: 'All that match, whatever the page.' }),
  })
  .meta({ id: 'WorkspacesResponse', description: 'A page of workspaces.' });
export type WorkspacePage = z.output<typeof WorkspacePage>;

/** What `watchList` pushes: the workspace as it is now, or null when the caller's list no longer has it. */
export const WorkspaceChange = z.object({ id: uuid(), workspace: Workspace.nullable() });
export type WorkspaceChange = z.output<typeof WorkspaceChange>;

const IncludeDeleted = queryBool().optional().default(false).meta({ description: 'Answer a deleted workspace too, instead of 404.' });
const UserParam = z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' });

export const WorkspacePath = z.object({ workspace: uuid() });

export const GetWorkspace = WorkspacePath.extend({ include_deleted: IncludeDeleted });

export const GetWorkspaceByName = z.object({
  user: UserParam,
  workspacename: z.string().min(1).max(64),
  include_deleted: IncludeDeleted,
});

export const ListWorkspaces = z.object({
  q: z.string().max(2000).optional().meta({
    description:
      'Search: `name` or `owner/name`, and `name: owner: template: id: status: has-agent: dormant: outdated: organization: param: last_used_before: last_used_after:`.',
  }),
  sort: z.enum(WORKSPACE_SORTS).optional().meta({
    description:
      'What the list goes by, with a `-` for the other way around; `status` begins with what asks for attention. Absent: favorites first, then what runs, then by owner and name.',
  }),
  limit: pageLimit(100, 500),
  offset: pageOffset(),
});

export const CreateWorkspaceBody = z
  .object({
    name: z.string().max(256),
    template_id: uuid().optional().meta({ description: 'Takes the active version; either this or `template_version_id`.' }),
    template_version_id: uuid().optional(),
    autostart_schedule: z.string().max(256).nullish(),
    ttl_ms: z.int().nullish().meta({
      description: 'Whole minutes, 1 minute to 30 days; 0 or absent takes the template’s default.',
    }),
    automatic_updates: z.enum(AUTOMATIC_UPDATES).optional(),
    rich_parameter_values: RichParameterValues.optional(),
  })
  .meta({ id: 'CreateWorkspaceRequest' });

export const CreateWorkspace = z.object({ user: UserParam, ...CreateWorkspaceBody.shape });
export const CreateOrganizationWorkspace = z.object({
  organization: z.string().min(1).max(64),
  ...CreateWorkspace.shape,
});

/** An empty name, like an absent one, keeps the one that it has. */
export const UpdateWorkspace = WorkspacePath.extend({ name: nameField('name').or(z.literal('')).optional() }).meta({
  id: 'UpdateWorkspaceRequest',
});

const createErrors = ['forbidden', 'not_found', 'not_ready', 'conflict'] as const;

export const routes = {
  ...settingsRoutes,
  ...bulkRoutes,
  update: route({
    method: 'PATCH',
    path: '/workspaces/{workspace}',
    tag: 'Workspaces',
    id: 'update-workspace-metadata-by-id',
    summary: 'Rename a workspace',
    description: 'Where this server allows it: `allow_renames` of a workspace says so.',
    status: 204,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  favorite: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/favorite',
    tag: 'Workspaces',
    id: 'favorite-workspace-by-id',
    summary: 'Put a workspace among your favorites',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  unfavorite: route({
    method: 'DELETE',
    path: '/workspaces/{workspace}/favorite',
    tag: 'Workspaces',
    id: 'unfavorite-workspace-by-id',
    summary: 'Take a workspace out of your favorites',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  timings: route({
    method: 'GET',
    path: '/workspaces/{workspace}/timings',
    tag: 'Workspaces',
    id: 'get-workspace-timings-by-id',
    summary: 'Get the timings of the latest build of a workspace',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: '/workspaces/{workspace}',
    tag: 'Workspaces',
    id: 'get-workspace-metadata-by-id',
    summary: 'Get a workspace',
    errors: ['not_found'],
  }),
  getByOwnerAndName: route({
    method: 'GET',
    path: '/users/{user}/workspace/{workspacename}',
    tag: 'Workspaces',
    id: 'get-workspace-metadata-by-user-and-workspace-name',
    summary: 'Get a workspace by its owner and name',
    errors: ['not_found'],
  }),
  list: route({
    method: 'GET',
    path: '/workspaces',
    tag: 'Workspaces',
    id: 'list-workspaces',
    summary: 'List workspaces',
    description: 'Your favorites first, then what runs, then by owner and name, unless `sort` says otherwise.',
  }),
  create: route({
    method: 'POST',
    path: '/users/{user}/workspaces',
    tag: 'Workspaces',
    id: 'create-user-workspace',
    summary: 'Create a workspace for a user',
    errors: createErrors,
  }),
  createInOrganization: route({
    method: 'POST',
    path: '/organizations/{organization}/members/{user}/workspaces',
    tag: 'Workspaces',
    id: 'create-user-workspace-by-organization',
    summary: 'Create a workspace for a member of an organization',
    errors: createErrors,
  }),
};
