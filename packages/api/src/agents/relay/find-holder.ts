import { Prisma } from '@berth/db';
import type { PrismaClient } from '@berth/db';
import { z } from 'zod';
import { REPLICA_ALIVE_SECONDS } from '../../replicas/alive.ts';

/** Another replica that holds an agent's tunnel, and where it is reached. */
export interface Holder {
  readonly replicaId: string;
  readonly relayUrl: string;
}

const Rows = z.array(z.object({ replicaId: z.string(), relayUrl: z.string() }));

/** Who but `ownId` holds the agent's tunnel, as its row says; undefined when nobody does who is alive and can be reached. */
export async function findHolder(prisma: PrismaClient, agentId: string, ownId: string): Promise<Holder | undefined> {
  const rows = await prisma.$queryRaw(Prisma.sql`
    SELECT r.id AS "replicaId", r.relay_address AS "relayUrl"
    FROM workspace_agents a JOIN replicas r ON r.id = a.replica_id
    WHERE a.id = ${agentId}::uuid AND r.id <> ${ownId}::uuid AND r.relay_address <> '' AND r.stopped_at IS NULL
      AND r.updated_at > now() - make_interval(secs => ${REPLICA_ALIVE_SECONDS})`);
  return Rows.parse(rows)[0];
}
