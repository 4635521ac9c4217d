import type { AliveReplica } from './alive.ts';
import type { Replica } from './contract.ts';

export function presentReplica(row: AliveReplica): Replica {
  return {
    id: row.id,
    hostname: row.hostname,
    created_at: row.createdAt.toISOString(),
    relay_address: row.relayAddress,
    region_id: 0,
    error: row.error,
    database_latency: row.databaseLatency,
  };
}
