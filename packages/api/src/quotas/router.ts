import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { UserPath } from '../users/contract.ts';
import { QuotaExplanation, QuotaPath, WorkspaceQuota, routes } from './contract.ts';
import { explainQuota, getDefaultQuota, getQuota } from './read-quota.ts';

export const quotasRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'user:read' })
    .input(QuotaPath)
    .output(WorkspaceQuota)
    .query(({ ctx, input }) => getQuota(ctx, input)),
  getDeprecated: userProcedure
    .meta({ ...routes.getDeprecated, permission: 'user:read' })
    .input(UserPath)
    .output(WorkspaceQuota)
    .query(({ ctx, input }) => getDefaultQuota(ctx, input)),
  explain: userProcedure
    .meta({ ...routes.explain, permission: 'user:read' })
    .input(QuotaPath)
    .output(QuotaExplanation)
    .query(({ ctx, input }) => explainQuota(ctx, input)),
});
