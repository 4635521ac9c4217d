import { z } from 'zod';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { AddLicense, Entitlements, License, LicensePath, Refreshed, routes } from './contract.ts';
import { addLicense, deleteLicense, readEntitlements, refreshEntitlements } from './licenses.ts';

export const licensesRouter = t.router({
  entitlements: publicProcedure
    .meta({ ...routes.entitlements, permission: 'public' })
    .input(z.object({}))
    .output(Entitlements)
    .query(({ ctx }) => readEntitlements(ctx.services)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'license:read' })
    .input(z.object({}))
    .output(z.array(License))
    .query(({ ctx }) => {
      ctx.authorize.scope();
      return [];
    }),

  add: userProcedure
    .meta({ ...routes.add, permission: 'license:create', audit: { resource: 'license', action: 'create' } })
    .input(AddLicense)
    .output(License)
    .mutation(({ ctx }) => addLicense(ctx)),

  refresh: userProcedure
    .meta({ ...routes.refresh, permission: 'license:create', audit: { none: 'it changes nothing' } })
    .input(z.object({}))
    .output(Refreshed)
    .mutation(({ ctx }) => refreshEntitlements(ctx)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'license:delete', audit: { resource: 'license', action: 'delete' } })
    .input(LicensePath)
    .output(z.object({}))
    .mutation(({ ctx, input }) => deleteLicense(ctx, input)),
});
