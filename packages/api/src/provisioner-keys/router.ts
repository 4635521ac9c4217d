import { z } from 'zod';
import { provisionerProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  CreateProvisionerKeyInput,
  CreateProvisionerKeyOutput,
  ListProvisionerKeysInput,
  OwnProvisionerKeyInput,
  ProvisionerKey,
  ProvisionerKeyDaemonsList,
  ProvisionerKeyInput,
  ProvisionerKeyList,
  routes,
} from './contract.ts';
import {
  createProvisionerKey,
  deleteProvisionerKey,
  getOwnProvisionerKey,
  listKeyDaemons,
  listProvisionerKeys,
} from './provisioner-keys.ts';

export const provisionerKeysRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'provisioner_keys:read' })
    .input(ListProvisionerKeysInput)
    .output(ProvisionerKeyList)
    .query(({ ctx, input }) => listProvisionerKeys(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'provisioner_keys:create', audit: { resource: 'provisioner_key', action: 'create' } })
    .input(CreateProvisionerKeyInput)
    .output(CreateProvisionerKeyOutput)
    .mutation(({ ctx, input }) => createProvisionerKey(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'provisioner_keys:delete', audit: { resource: 'provisioner_key', action: 'delete' } })
    .input(ProvisionerKeyInput)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteProvisionerKey(ctx, input)),

  listDaemons: userProcedure
    .meta({ ...routes.listDaemons, permission: 'provisioner_keys:read' })
    .input(ListProvisionerKeysInput)
    .output(ProvisionerKeyDaemonsList)
    .query(({ ctx, input }) => listKeyDaemons(ctx, input)),

  getOwn: provisionerProcedure
    .meta({ ...routes.getOwn, permission: 'provisioner' })
    .input(OwnProvisionerKeyInput)
    .output(ProvisionerKey)
    .query(({ ctx, input }) => getOwnProvisionerKey(ctx, input)),
});
