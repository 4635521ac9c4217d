import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';

/** A replica that has not said a word for so many seconds counts as gone; it says one every five. */
export const REPLICA_ALIVE_SECONDS = 15;
const LIST_MAX = 100;

export interface AliveReplica {
  readonly id: string;
  readonly hostname: string;
  readonly relayAddress: string;
  readonly error: string;
  readonly databaseLatency: number;
  readonly createdAt: Date;
}

/** The replicas that are running, oldest first. The database's clock decides, since all of them share it. */
export function aliveReplicas(db: Tx): Promise<AliveReplica[]> {
  return db.$queryRaw<AliveReplica[]>(Prisma.sql`
    SELECT id, hostname, relay_address AS "relayAddress", error, database_latency AS "databaseLatency", created_at AS "createdAt"
    FROM replicas
    WHERE stopped_at IS NULL AND updated_at > now() - make_interval(secs => ${REPLICA_ALIVE_SECONDS})
    ORDER BY created_at, id LIMIT ${LIST_MAX}`);
}
