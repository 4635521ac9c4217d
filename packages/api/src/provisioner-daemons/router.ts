import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { ListProvisionerDaemonsInput, ProvisionerDaemonList, routes } from './contract.ts';
import { listProvisionerDaemons } from './read-daemons.ts';

export const provisionerDaemonsRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'provisioner_daemon:read' })
    .input(ListProvisionerDaemonsInput)
    .output(ProvisionerDaemonList)
    .query(({ ctx, input }) => listProvisionerDaemons(ctx, input)),
});
