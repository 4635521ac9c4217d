import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { DeploymentStats, routes } from './contract.ts';
import { readDeploymentStats } from './read-stats.ts';

export const deploymentStatsRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'deployment_stats:read' })
    .input(z.object({}))
    .output(DeploymentStats)
    .query(({ ctx }) => readDeploymentStats(ctx)),
});
