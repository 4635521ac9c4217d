import { z } from 'zod';
import { WorkspaceBuildTimings } from '../builds/contract.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  CreateOrganizationWorkspace,
  CreateWorkspace,
  GetWorkspace,
  GetWorkspaceByName,
  ListWorkspaces,
  routes,
  UpdateWorkspace,
  Workspace,
  WorkspacePage,
  WorkspacePath,
} from './contract.ts';
import { createOrganizationWorkspace, createWorkspace } from './create-workspace.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { getWorkspace, getWorkspaceByOwnerAndName } from './read-workspace.ts';
import { getWorkspaceTimings } from './read-timings.ts';
import { setFavorite, updateWorkspace } from './update-workspace.ts';
import { watchList } from './watch-list.ts';
import { watchWorkspace } from './watch-workspace.ts';

/** For callers that have no signal: a stream that ends with its consumer. */
const never = (): AbortSignal => new AbortController().signal;

export const workspacesRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'workspace:read' })
    .input(GetWorkspace)
    .output(Workspace)
    .query(({ ctx, input }) => getWorkspace(ctx, input)),

  getByOwnerAndName: userProcedure
    .meta({ ...routes.getByOwnerAndName, permission: 'workspace:read' })
    .input(GetWorkspaceByName)
    .output(Workspace)
    .query(({ ctx, input }) => getWorkspaceByOwnerAndName(ctx, input)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'workspace:read' })
    .input(ListWorkspaces)
    .output(WorkspacePage)
    .query(({ ctx, input }) => listWorkspaces(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'workspace:create', audit: { resource: 'workspace', action: 'create' } })
    .input(CreateWorkspace)
    .output(Workspace)
    .mutation(({ ctx, input }) => createWorkspace(ctx, input)),

  createInOrganization: userProcedure
    .meta({ ...routes.createInOrganization, permission: 'workspace:create', audit: { resource: 'workspace', action: 'create' } })
    .input(CreateOrganizationWorkspace)
    .output(Workspace)
    .mutation(({ ctx, input }) => createOrganizationWorkspace(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpdateWorkspace)
    .output(z.void())
    .mutation(({ ctx, input }) => updateWorkspace(ctx, input)),

  favorite: userProcedure
    .meta({ ...routes.favorite, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(WorkspacePath)
    .output(z.void())
    .mutation(({ ctx, input }) => setFavorite(ctx, input, true)),

  unfavorite: userProcedure
    .meta({ ...routes.unfavorite, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(WorkspacePath)
    .output(z.void())
    .mutation(({ ctx, input }) => setFavorite(ctx, input, false)),

  timings: userProcedure
    .meta({ ...routes.timings, permission: 'workspace:read' })
    .input(WorkspacePath)
    .output(WorkspaceBuildTimings)
    .query(({ ctx, input }) => getWorkspaceTimings(ctx, input)),

  watch: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(WorkspacePath)
    .subscription(({ ctx, input, signal }) => watchWorkspace(ctx, { ...input, signal: signal ?? never() })),

  watchList: userProcedure.meta({ permission: 'workspace:read' }).subscription(({ ctx, signal }) => watchList(ctx, signal ?? never())),
});
