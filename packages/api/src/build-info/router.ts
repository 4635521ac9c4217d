import { z } from 'zod';
import { publicProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { BuildInfo, routes } from './contract.ts';

export const buildInfoRouter = t.router({
  get: publicProcedure
    .meta({ ...routes.get, permission: 'public' })
    .input(z.object({}))
    .output(BuildInfo)
    .query(({ ctx }) => {
      const { version, accessUrl, deploymentId } = ctx.services.settings;
      return {
        version,
        external_url: '',
        dashboard_url: accessUrl,
        deployment_id: deploymentId,
        agent_api_version: '1.0',
        provisioner_api_version: '1.0',
        telemetry: false,
        upgrade_message: '',
        workspace_proxy: false,
      };
    }),
});
