import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { GetQuietHours, QuietHours, UpdateQuietHours, routes } from './contract.ts';
import { getQuietHours, updateQuietHours } from './quiet-hours.ts';

export const quietHoursRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'user:read_personal' })
    .input(GetQuietHours)
    .output(z.array(QuietHours))
    .query(({ ctx, input }) => getQuietHours(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'user:update_personal', audit: { resource: 'user', action: 'write' } })
    .input(UpdateQuietHours)
    .output(z.array(QuietHours))
    .mutation(({ ctx, input }) => updateQuietHours(ctx, input)),
});
