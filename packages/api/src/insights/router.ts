import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { DAUsResponse } from '../templates/settings/contract.ts';
import {
  DausInput,
  InsightsInput,
  TemplateInsightsInput,
  TemplateInsightsResponse,
  UserActivityInsightsResponse,
  UserLatencyInsightsResponse,
  routes,
} from './contract.ts';
import { deploymentDaus } from './daus.ts';
import { templateInsights } from './template-report.ts';
import { userActivity, userLatency } from './user-reports.ts';

export const insightsRouter = t.router({
  daus: userProcedure
    .meta({ ...routes.daus, permission: 'template:view_insights' })
    .input(DausInput)
    .output(DAUsResponse)
    .query(({ ctx, input }) => deploymentDaus(ctx, input)),

  templates: userProcedure
    .meta({ ...routes.templates, permission: 'template:view_insights' })
    .input(TemplateInsightsInput)
    .output(TemplateInsightsResponse)
    .query(({ ctx, input }) => templateInsights(ctx, input)),

  userActivity: userProcedure
    .meta({ ...routes.userActivity, permission: 'template:view_insights' })
    .input(InsightsInput)
    .output(UserActivityInsightsResponse)
    .query(({ ctx, input }) => userActivity(ctx, input)),

  userLatency: userProcedure
    .meta({ ...routes.userLatency, permission: 'template:view_insights' })
    .input(InsightsInput)
    .output(UserLatencyInsightsResponse)
    .query(({ ctx, input }) => userLatency(ctx, input)),
});
