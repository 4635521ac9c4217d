import { Prisma } from '@berth/db';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { aliveReplicas } from '../replicas/index.ts';
import type { Coordinator, DerpTraffic } from './contract.ts';
import { TUNNELS_MAX, Tailnet } from './contract.ts';

/** The metrics of this process. */
export async function expvar(call: UserCall): Promise<Record<string, unknown>> {
  call.authorize.require({ type: 'debug_info' });
  const { metrics, settings } = call.services;
  return { version: settings.version, replica_id: settings.replica.id, metrics: await metrics.values() };
}

/** There are no relays whose traffic could be told. */
export function derpTraffic(call: UserCall): z.output<typeof DerpTraffic> {
  call.authorize.require({ type: 'debug_info' });
  return [];
}

/** Which agents' tunnels hang on this server. */
export function coordinator(call: UserCall): z.output<typeof Coordinator> {
  call.authorize.require({ type: 'debug_info' });
  const { tunnels, settings } = call.services;
  const agents = tunnels.held().map(([agentId]) => agentId);
  return { replica_id: settings.replica.id, tunnels: agents.length, agents: agents.toSorted().slice(0, TUNNELS_MAX) };
}

/** How many agents' tunnels hang on each server, as their rows have it. */
export async function tailnet(call: UserCall): Promise<Tailnet> {
  call.authorize.require({ type: 'debug_info' });
  const [replicas, counts] = await Promise.all([
    aliveReplicas(call.db),
    call.db.$queryRaw<{ id: string; tunnels: number }[]>(Prisma.sql`
      SELECT a.replica_id AS id, count(*)::int AS tunnels
      FROM workspaces w
      JOIN workspace_builds b ON b.id = w.latest_build_id
      JOIN workspace_resources r ON r.job_id = b.job_id
      JOIN workspace_agents a ON a.resource_id = r.id
      WHERE NOT w.deleted AND a.replica_id IS NOT NULL
      GROUP BY a.replica_id`),
  ]);
  const held = new Map(counts.map(({ id, tunnels }) => [id, tunnels]));
  return Tailnet.parse({ replicas: replicas.map(({ id, hostname }) => ({ id, hostname, tunnels: held.get(id) ?? 0 })) });
}
