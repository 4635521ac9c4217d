import { Confirmation } from '../kernel/confirmation.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { DeletePortShare, ListPortShares, PortShare, PortShares, UpsertPortShare, routes } from './contract.ts';
import { deletePortShare, listPortShares, upsertPortShare } from './port-shares.ts';

export const portSharesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'workspace:read' })
    .input(ListPortShares)
    .output(PortShares)
    .query(({ ctx, input }) => listPortShares(ctx, input)),

  upsert: userProcedure
    .meta({ ...routes.upsert, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(UpsertPortShare)
    .output(PortShare)
    .mutation(({ ctx, input }) => upsertPortShare(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'workspace:update', audit: { resource: 'workspace', action: 'write' } })
    .input(DeletePortShare)
    .output(Confirmation)
    .mutation(({ ctx, input }) => deletePortShare(ctx, input)),
});
