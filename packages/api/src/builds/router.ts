import { tracked } from '@trpc/server';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { ProvisionerJobLog } from '../provisioner-jobs/contract.ts';
import {
  cancelBuild,
  followBuildLogs,
  getBuildState,
  getBuildTimings,
  listBuildLogs,
  listBuildParameters,
  resumeAfter,
} from './build-details.ts';
import {
  BuildByNumberPath,
  BuildPath,
  BuildWhy,
  CreateBuild,
  FollowBuildLogs,
  ListBuildLogs,
  ListBuilds,
  ListStates,
  RestoreState,
  StoredState,
  WorkspaceBuild,
  WorkspaceBuildParameter,
  WorkspaceBuildState,
  WorkspaceBuildTimings,
  routes,
} from './contract.ts';
import { createBuild } from './create-build.ts';
import { getBuild, getBuildByNumber, listBuilds } from './read-builds.ts';
import { listStates } from './states/read-states.ts';
import { restoreState } from './states/restore-state.ts';
import { explainBuild } from './why/explain-build.ts';

export const buildsRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'workspace:read' })
    .input(ListBuilds)
    .output(z.array(WorkspaceBuild))
    .query(({ ctx, input }) => listBuilds(ctx, input)),

  // Reading the workspace is only the beginning: which right is needed depends on the transition (create-build.ts).
  create: userProcedure
    .meta({ ...routes.create, permission: 'workspace:read', audit: { resource: 'workspace_build', action: 'start' } })
    .input(CreateBuild)
    .output(WorkspaceBuild)
    .mutation(({ ctx, input }) => createBuild(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'workspace:read' })
    .input(BuildPath)
    .output(WorkspaceBuild)
    .query(({ ctx, input }) => getBuild(ctx, input)),

  getByUserWorkspaceAndNumber: userProcedure
    .meta({ ...routes.getByUserWorkspaceAndNumber, permission: 'workspace:read' })
    .input(BuildByNumberPath)
    .output(WorkspaceBuild)
    .query(({ ctx, input }) => getBuildByNumber(ctx, input)),

  timings: userProcedure
    .meta({ ...routes.timings, permission: 'workspace:read' })
    .input(BuildPath)
    .output(WorkspaceBuildTimings)
    .query(({ ctx, input }) => getBuildTimings(ctx, input)),

  why: userProcedure
    .meta({ ...routes.why, permission: 'workspace:read' })
    .input(BuildPath)
    .output(BuildWhy)
    .query(({ ctx, input }) => explainBuild(ctx, input)),
  cancel: userProcedure
    .meta({ ...routes.cancel, permission: 'workspace:update', audit: { resource: 'workspace_build', action: 'write' } })
    .input(BuildPath)
    .output(Confirmation)
    .mutation(({ ctx, input }) => cancelBuild(ctx, input)),

  logs: userProcedure
    .meta({ ...routes.logs, permission: 'workspace:read' })
    .input(ListBuildLogs)
    .output(z.array(ProvisionerJobLog))
    .query(({ ctx, input }) => listBuildLogs(ctx, input)),

  followLogs: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(FollowBuildLogs)
    .subscription(async ({ ctx, input, signal }) => {
      const follow = { id: input.workspacebuild, after: resumeAfter(input), signal: signal ?? new AbortController().signal };
      const lines = await followBuildLogs(ctx, follow);
      return (async function* () {
        for await (const line of lines) yield tracked(String(line.id), line);
      })();
    }),

  parameters: userProcedure
    .meta({ ...routes.parameters, permission: 'workspace:read' })
    .input(BuildPath)
    .output(z.array(WorkspaceBuildParameter))
    .query(({ ctx, input }) => listBuildParameters(ctx, input)),

  state: userProcedure
    .meta({ ...routes.state, permission: 'template:update' })
    .input(BuildPath)
    .output(WorkspaceBuildState)
    .query(({ ctx, input }) => getBuildState(ctx, input)),

  listStates: userProcedure
    .meta({ ...routes.listStates, permission: 'template:update' })
    .input(ListStates)
    .output(z.array(StoredState))
    .query(({ ctx, input }) => listStates(ctx, input)),

  // Which right is needed depends on the build that is made (create-build.ts).
  restoreState: userProcedure
    .meta({ ...routes.restoreState, permission: 'workspace:read', audit: { resource: 'workspace_build', action: 'write' } })
    .input(RestoreState)
    .output(WorkspaceBuild)
    .mutation(({ ctx, input }) => restoreState(ctx, input)),
});
