import { z } from 'zod';
import { route } from '../kernel/route.ts';

export const BuildInfo = z
  .object({
    version: z.string(),
    external_url: z.string(),
    dashboard_url: z.string(),
    deployment_id: z.string(),
    agent_api_version: z.string(),
    provisioner_api_version: z.string(),
    telemetry: z.boolean().meta({ description: 'Always false: Berth sends nothing anywhere.' }),
    upgrade_message: z.string(),
    workspace_proxy: z.boolean(),
  })
  .meta({ id: 'BuildInfoResponse' });

export const routes = {
  get: route({ method: 'GET', path: '/buildinfo', tag: 'General', id: 'build-info', summary: 'What this server is' }),
};
