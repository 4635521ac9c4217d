import { z } from 'zod';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { readAppearance, readBrand, updateAppearance } from './appearance.ts';
import { Appearance, AppearanceChanged, Brand, UpdateAppearance, routes } from './contract.ts';
import { watchAppearance } from './watch.ts';

const never = (): AbortSignal => new AbortController().signal;

export const appearanceRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'signed-in' })
    .input(z.object({}))
    .output(Appearance)
    .query(({ ctx }) => readAppearance(ctx)),

  /** For the pages before sign-in. */
  brand: publicProcedure
    .meta({ permission: 'public' })
    .input(z.object({}))
    .output(Brand)
    .query(({ ctx }) => readBrand(ctx.db)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'deployment_config:update', audit: { resource: 'appearance', action: 'write' } })
    .input(UpdateAppearance)
    .output(AppearanceChanged)
    .mutation(({ ctx, input }) => updateAppearance(ctx, input)),

  watch: userProcedure.meta({ permission: 'user:read' }).subscription(({ ctx, signal }) => watchAppearance(ctx, signal ?? never())),
});
