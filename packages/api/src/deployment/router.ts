import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { DeploymentConfig, routes } from './contract.ts';
import { readDeploymentConfig } from './read-config.ts';

export const deploymentRouter = t.router({
  config: userProcedure
    .meta({ ...routes.config, permission: 'deployment_config:read' })
    .input(z.object({}))
    .output(DeploymentConfig)
    .query(({ ctx }) => readDeploymentConfig(ctx)),
});
