import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { CreateShare, ListReceived, ListShares, ReceivedShares, SharePath, WorkspaceShare, WorkspaceShares, routes } from './contract.ts';
import { createShare } from './create-share.ts';
import { endShare } from './end-share.ts';
import { listShares } from './list-shares.ts';
import { listReceived } from './received-shares.ts';

export const workspaceSharesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'workspace:read' })
    .input(ListShares)
    .output(WorkspaceShares)
    .query(({ ctx, input }) => listShares(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(CreateShare)
    .output(WorkspaceShare)
    .mutation(({ ctx, input }) => createShare(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(SharePath)
    .output(z.void())
    .mutation(({ ctx, input }) => endShare(ctx, input)),

  received: userProcedure
    .meta({ ...routes.received, permission: 'user:read_personal' })
    .input(ListReceived)
    .output(ReceivedShares)
    .query(({ ctx, input }) => listReceived(ctx, input)),
});
