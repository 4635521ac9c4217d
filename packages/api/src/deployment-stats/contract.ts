import { timestamp } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

const bytes = (what: string) => z.int().meta({ description: `${what} the workspaces in the last fifteen minutes.` });

export const DeploymentStats = z
  .object({
    aggregated_from: timestamp(),
    collected_at: timestamp(),
    next_update_at: timestamp(),
    workspaces: z
      .object({
        pending: z.int(),
        building: z.int(),
        running: z.int(),
        failed: z.int(),
        stopped: z.int(),
        connection_latency_ms: z
          .object({ p50: z.number(), p95: z.number() })
          .meta({ id: 'WorkspaceConnectionLatencyMS', description: 'Of what was measured in the last half hour; -1 where nothing was.' }),
        rx_bytes: bytes('Into'),
        tx_bytes: bytes('Out of'),
      })
      .meta({ id: 'WorkspaceDeploymentStats', description: 'Workspaces by their latest build, and their traffic.' }),
    session_count: z
      .object({ vscode: z.int(), ssh: z.int(), jetbrains: z.int(), reconnecting_pty: z.int() })
      .meta({ id: 'SessionCountDeploymentStats', description: 'What is open now, as the agents said last.' }),
  })
  .meta({ id: 'DeploymentStats' });
export type DeploymentStats = z.output<typeof DeploymentStats>;

export const routes = {
  get: route({
    method: 'GET',
    path: '/deployment/stats',
    tag: 'General',
    id: 'get-deployment-stats',
    summary: 'Get deployment stats',
    description: 'Counted anew when the last count is thirty seconds old.',
  }),
};
