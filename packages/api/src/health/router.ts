import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { GetHealth, HealthSettings, HealthcheckReport, UpdateHealthSettings, routes } from './contract.ts';
import { getHealth } from './report.ts';
import { getHealthSettings, updateHealthSettings } from './settings.ts';

export const healthRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'debug_info:read' })
    .input(GetHealth)
    .output(HealthcheckReport)
    .query(({ ctx, input }) => getHealth(ctx, input)),

  settings: userProcedure
    .meta({ ...routes.settings, permission: 'debug_info:read' })
    .input(z.object({}))
    .output(HealthSettings)
    .query(({ ctx }) => getHealthSettings(ctx)),

  updateSettings: userProcedure
    .meta({ ...routes.updateSettings, permission: 'deployment_config:update', audit: { resource: 'health_settings', action: 'write' } })
    .input(UpdateHealthSettings)
    .output(UpdateHealthSettings)
    .mutation(({ ctx, input }) => updateHealthSettings(ctx, input)),
});
