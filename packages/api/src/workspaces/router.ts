import { z } from 'zod';
import { WorkspaceBuildTimings } from '../builds/contract.ts';
import { Confirmation } from '../kernel/confirmation.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { changeWorkspaces } from './bulk/change-workspaces.ts';
import {
  BulkResults,
  BulkWorkspaces,
  CreateOrganizationWorkspace,
  CreateWorkspace,
  ExtendWorkspace,
  GetWorkspace,
  GetWorkspaceByName,
  ListWorkspaces,
  PostUsage,
  ResolveAutostart,
  routes,
  UpdateAutomaticUpdates,
  UpdateAutostart,
  UpdateDormancy,
  UpdateTtl,
  UpdateWorkspace,
  Workspace,
  WorkspacePage,
  WorkspacePath,
  WorkspaceSchedule,
} from './contract.ts';
import { createOrganizationWorkspace, createWorkspace } from './create-workspace.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { getWorkspace, getWorkspaceByOwnerAndName } from './read-workspace.ts';
import { getWorkspaceTimings } from './read-timings.ts';
import { extendWorkspace } from './settings/extend.ts';
import { postUsage } from './settings/post-usage.ts';
import { getSchedule } from './settings/read-schedule.ts';
import { resolveAutostart } from './settings/resolve-autostart.ts';
import { updateDormancy } from './settings/update-dormancy.ts';
import { updateAutomaticUpdates, updateAutostart, updateTtl } from './settings/update-settings.ts';
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

  updateAutostart: userProcedure
    .meta({ ...routes.updateAutostart, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpdateAutostart)
    .output(z.void())
    .mutation(({ ctx, input }) => updateAutostart(ctx, input)),

  updateTtl: userProcedure
    .meta({ ...routes.updateTtl, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpdateTtl)
    .output(z.void())
    .mutation(({ ctx, input }) => updateTtl(ctx, input)),

  updateAutomaticUpdates: userProcedure
    .meta({ ...routes.updateAutomaticUpdates, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpdateAutomaticUpdates)
    .output(z.void())
    .mutation(({ ctx, input }) => updateAutomaticUpdates(ctx, input)),

  updateDormancy: userProcedure
    .meta({ ...routes.updateDormancy, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpdateDormancy)
    .output(Workspace)
    .mutation(({ ctx, input }) => updateDormancy(ctx, input)),

  extend: userProcedure
    .meta({ ...routes.extend, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(ExtendWorkspace)
    .output(Confirmation)
    .mutation(({ ctx, input }) => extendWorkspace(ctx, input)),

  usage: userProcedure
    .meta({
      ...routes.usage,
      permission: 'workspace:update',
      audit: { none: 'being used is no change' },
      untransacted: 'use is noted in memory',
    })
    .input(PostUsage)
    .output(z.void())
    .mutation(({ ctx, input }) => postUsage(ctx, input)),

  resolveAutostart: userProcedure
    .meta({ ...routes.resolveAutostart, permission: 'workspace:read' })
    .input(WorkspacePath)
    .output(ResolveAutostart)
    .query(({ ctx, input }) => resolveAutostart(ctx, input)),

  schedule: userProcedure
    .meta({ ...routes.schedule, permission: 'workspace:read' })
    .input(WorkspacePath)
    .output(WorkspaceSchedule)
    .query(({ ctx, input }) => getSchedule(ctx, input)),

  // Reading a workspace is only the beginning: which right is needed depends on the action (builds/create-build.ts).
  bulk: userProcedure
    .meta({
      ...routes.bulk,
      permission: 'workspace:read',
      audit: { resource: 'workspace_build', action: 'start' },
      untransacted: 'each workspace has a transaction of its own, so that one that is refused does not hold up the others',
    })
    .input(BulkWorkspaces)
    .output(BulkResults)
    .mutation(({ ctx, input }) => changeWorkspaces(ctx, input)),

  watch: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(WorkspacePath)
    .subscription(({ ctx, input, signal }) => watchWorkspace(ctx, { ...input, signal: signal ?? never() })),

  watchList: userProcedure.meta({ permission: 'workspace:read' }).subscription(({ ctx, signal }) => watchList(ctx, signal ?? never())),
});
