import { Prisma } from '@berth/db';
import { z } from 'zod';
import { TrafficTotals } from '../deployment-stats/index.ts';
import type { Services } from '../kernel/context.ts';
import { REPLICA_ALIVE_SECONDS } from './alive.ts';

const Rows = z.array(z.object({ traffic: TrafficTotals.partial() }));

/** What the agents told all servers together, as each said with its last sign of life. */
export async function readTraffic({ prisma }: Pick<Services, 'prisma'>): Promise<TrafficTotals> {
  const rows = await prisma.$queryRaw(Prisma.sql`
    SELECT traffic FROM replicas WHERE stopped_at IS NULL AND updated_at > now() - make_interval(secs => ${REPLICA_ALIVE_SECONDS})`);
  const totals: TrafficTotals = { rx_bytes: 0, tx_bytes: 0, vscode: 0, ssh: 0, jetbrains: 0, reconnecting_pty: 0 };
  const names = TrafficTotals.keyof().options;
  for (const { traffic } of Rows.parse(rows)) for (const name of names) totals[name] += traffic[name] ?? 0;
  return totals;
}
