import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { deleteProxy, updateProxy } from './change-proxy.ts';
import {
  CreateWorkspaceProxy,
  DeleteWorkspaceProxyResponse,
  Regions,
  routes,
  UpdateWorkspaceProxy,
  WorkspaceProxies,
  WorkspaceProxy,
  WorkspaceProxyPath,
  WorkspaceProxyWithToken,
} from './contract.ts';
import { createProxy } from './create-proxy.ts';
import { getProxy, listProxies, listRegions } from './read-proxies.ts';

export const workspaceProxiesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'workspace_proxy:read' })
    .input(z.object({}))
    .output(z.array(WorkspaceProxies))
    .query(({ ctx }) => listProxies(ctx)),

  regions: userProcedure
    .meta({ ...routes.regions, permission: 'workspace_proxy:read' })
    .input(z.object({}))
    .output(Regions)
    .query(({ ctx }) => listRegions(ctx)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'workspace_proxy:create', audit: { resource: 'workspace_proxy', action: 'create' } })
    .input(CreateWorkspaceProxy)
    .output(WorkspaceProxyWithToken)
    .mutation(({ ctx, input }) => createProxy(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'workspace_proxy:read' })
    .input(WorkspaceProxyPath)
    .output(WorkspaceProxy)
    .query(({ ctx, input }) => getProxy(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'workspace_proxy:update', audit: { resource: 'workspace_proxy', action: 'write' } })
    .input(UpdateWorkspaceProxy)
    .output(WorkspaceProxyWithToken)
    .mutation(({ ctx, input }) => updateProxy(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'workspace_proxy:delete', audit: { resource: 'workspace_proxy', action: 'delete' } })
    .input(WorkspaceProxyPath)
    .output(DeleteWorkspaceProxyResponse)
    .mutation(({ ctx, input }) => deleteProxy(ctx, input)),
});
