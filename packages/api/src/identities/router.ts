import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { IdentityList, ListIdentities, UnlinkIdentity, UnlinkedIdentity, routes } from './contract.ts';
import { listIdentities, unlinkIdentity } from './identities.ts';

export const identitiesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'user:read_personal' })
    .input(ListIdentities)
    .output(IdentityList)
    .query(({ ctx, input }) => listIdentities(ctx, input)),

  unlink: userProcedure
    .meta({ ...routes.unlink, permission: 'user:update_personal', audit: { resource: 'user_identity', action: 'delete' } })
    .input(UnlinkIdentity)
    .output(UnlinkedIdentity)
    .mutation(({ ctx, input }) => unlinkIdentity(ctx, input)),
});
