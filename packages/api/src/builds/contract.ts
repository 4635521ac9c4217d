import { pageLimit, pageOffset, queryBool, queryInt, timestamp, uuid } from '@berth/core';
import { BUILD_LOG_LEVELS, BUILD_REASONS, TRANSITIONS, WORKSPACE_STATUSES } from '@berth/domain';
import { z } from 'zod';
import { WorkspaceResource } from '../agents/contract.ts';
import { route } from '../kernel/route.ts';
import { statesRoutes } from './states/contract.ts';
import { timingsRoutes } from './timings/contract.ts';
import { whyRoutes } from './why/contract.ts';

export * from './states/contract.ts';
export * from './timings/contract.ts';
export * from './why/contract.ts';
import { ProvisionerJob } from '../provisioner-jobs/contract.ts';

/** Parameters of one build at most. */
export const BUILD_PARAMETERS_MAX = 128;
/** Bytes of provisioner state that a request may carry. */
export const BUILD_STATE_MAX_BYTES = 768 * 1024;

export const WorkspaceBuildParameter = z
  .object({ name: z.string().min(1).max(128), value: z.string().max(8 * 1024) })
  .meta({ id: 'WorkspaceBuildParameter', description: 'A parameter and its value, as text.' });
export type WorkspaceBuildParameter = z.output<typeof WorkspaceBuildParameter>;

export const RichParameterValues = z.array(WorkspaceBuildParameter).max(BUILD_PARAMETERS_MAX);

const workspaceBuild = {
  id: uuid(),
  build_number: z.int(),
  created_at: timestamp(),
  updated_at: timestamp(),
  deadline: timestamp().nullable(),
  max_deadline: timestamp().nullable(),
  daily_cost: z.int(),
  initiator_id: uuid(),
  initiator_name: z.string(),
  job: ProvisionerJob,
  reason: z.enum(BUILD_REASONS),
  status: z.enum(WORKSPACE_STATUSES),
  transition: z.enum(TRANSITIONS),
  template_version_id: uuid(),
  template_version_name: z.string(),
  workspace_id: uuid(),
  workspace_name: z.string(),
  workspace_owner_id: uuid(),
  workspace_owner_name: z.string(),
  workspace_owner_avatar_url: z.string(),
  resources: z.array(WorkspaceResource),
};

export const WorkspaceBuild = z.object(workspaceBuild).meta({
  id: 'WorkspaceBuild',
  description: 'One provisioning run of a workspace; the one with the highest number says what the workspace is.',
});
export type WorkspaceBuild = z.output<typeof WorkspaceBuild>;

export const WorkspaceBuildState = z
  .object({
    ...workspaceBuild,
    provisioner_state: z.base64().meta({ description: 'The provisioner’s state, in base64.' }),
  })
  .meta({
    id: 'WorkspaceBuildState',
    description: 'A build with the state that its provisioner keeps.',
  });
export type WorkspaceBuildState = z.output<typeof WorkspaceBuildState>;

export const BuildPath = z.object({ workspacebuild: uuid() });

export const BuildByNumberPath = z.object({
  user: z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' }),
  workspacename: z.string().min(1).max(64),
  buildnumber: queryInt(0, 2_147_483_647),
});

export const ListBuilds = z.object({
  workspace: uuid(),
  after_id: uuid().optional().meta({ description: 'Only builds after this one in the list, which are older.' }),
  limit: pageLimit(50, 500),
  offset: pageOffset(),
  since: timestamp().optional().meta({ description: 'Only builds created after this instant.' }),
});

/** State as bytes 0–255, or as base64 text. */
const ProvisionerState = z
  .union([z.array(z.int().min(0).max(255)).max(BUILD_STATE_MAX_BYTES), z.base64().max(Math.ceil(BUILD_STATE_MAX_BYTES / 3) * 4)])
  .meta({
    description:
      'State to start from, as bytes or in base64; by default that of the build before. Must be a state of the driver of the template.',
  });

export const CreateBuildBody = z
  .object({
    transition: z.enum(TRANSITIONS),
    template_version_id: uuid().optional().meta({ description: 'By default that of the build before.' }),
    dry_run: z.boolean().optional().meta({
      description: 'Checks everything, answers the build that would be made, and makes none.',
    }),
    log_level: z.enum(BUILD_LOG_LEVELS).optional(),
    orphan: z.boolean().optional().meta({ description: 'With `delete`: forget the resources instead of destroying them.' }),
    rich_parameter_values: RichParameterValues.optional().meta({
      description: 'Replace stored values of the same name; stored values that are not named stay.',
    }),
    state: ProvisionerState.optional(),
  })
  .meta({ id: 'CreateWorkspaceBuildRequest' });

export const CreateBuild = z.object({ workspace: uuid(), ...CreateBuildBody.shape });
export type CreateBuild = z.output<typeof CreateBuild>;

const LogId = queryInt(0, Number.MAX_SAFE_INTEGER);

export const ListBuildLogs = BuildPath.extend({
  before: LogId.optional().meta({ description: 'Only lines with a smaller id.' }),
  after: LogId.optional().meta({ description: 'Only lines with a greater id.' }),
  follow: queryBool().optional().meta({ description: 'Upgrade to a WebSocket and go on with new lines until the job ends.' }),
});

/** `lastEventId` is what tRPC sends when a subscription resumes: the id of the last line seen. */
export const FollowBuildLogs = BuildPath.extend({
  after: z.int().min(0).optional(),
  lastEventId: z.string().max(20).nullish(),
});

export const routes = {
  ...statesRoutes,
  ...timingsRoutes,
  ...whyRoutes,
  list: route({
    method: 'GET',
    path: '/workspaces/{workspace}/builds',
    tag: 'Builds',
    id: 'get-workspace-builds-by-workspace-id',
    summary: 'List the builds of a workspace',
    description: 'Newest first.',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/workspaces/{workspace}/builds',
    tag: 'Builds',
    id: 'create-workspace-build',
    summary: 'Create a workspace build',
    errors: ['not_found', 'forbidden', 'not_ready', 'conflict', 'unavailable'],
  }),
  get: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}',
    tag: 'Builds',
    id: 'get-workspace-build',
    summary: 'Get a workspace build',
    errors: ['not_found'],
  }),
  getByUserWorkspaceAndNumber: route({
    method: 'GET',
    path: '/users/{user}/workspace/{workspacename}/builds/{buildnumber}',
    tag: 'Builds',
    id: 'get-workspace-build-by-user-workspace-name-and-build-number',
    summary: 'Get a workspace build by user, workspace name and build number',
    errors: ['not_found'],
  }),
  cancel: route({
    method: 'PATCH',
    path: '/workspacebuilds/{workspacebuild}/cancel',
    tag: 'Builds',
    id: 'cancel-workspace-build',
    summary: 'Cancel a workspace build',
    errors: ['not_found', 'forbidden'],
  }),
  logs: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}/logs',
    tag: 'Builds',
    id: 'get-workspace-build-logs',
    summary: 'Get the logs of a workspace build',
    description:
      'Oldest first. With `follow`, a WebSocket that sends one line per message and closes when the job has ended, or, when asked for `text/event-stream`, server-sent events that resume after `Last-Event-ID`.',
    errors: ['not_found'],
  }),
  parameters: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}/parameters',
    tag: 'Builds',
    id: 'get-build-parameters-for-workspace-build',
    summary: 'Get the parameters of a workspace build',
    errors: ['not_found'],
  }),
  state: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}/state',
    tag: 'Builds',
    id: 'get-provisioner-state-for-workspace-build',
    summary: 'Get the provisioner state of a workspace build',
    description: 'Needs the right to update the template. With `Accept: application/octet-stream`, the bytes alone.',
    errors: ['not_found', 'forbidden'],
  }),
};
