import { Prisma } from '@berth/db';
import { z } from 'zod';
import { agentConnectionsChannel, workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';

/**
 * What the door of agents tells of a connection. Times only move forward, whatever the clocks of two replicas say, so that
 * a new connection is never taken for the end of the one before.
 */

const Moved = z.array(z.object({ workspaceId: z.string(), ownerId: z.string() }));

const WORKSPACE_OF = Prisma.sql`
  FROM workspace_resources r JOIN workspace_builds b ON b.job_id = r.job_id JOIN workspaces w ON w.id = b.workspace_id
  WHERE r.id = a.resource_id`;

/** The agent's tunnel is open at this replica, whichever held an earlier one. Tells the replicas, and those who watch its workspace. */
export async function agentConnected(services: Services, agentId: string): Promise<void> {
  const now = services.clock.now().toISOString();
  const { id: replicaId } = services.settings.replica;
  const rows = await services.prisma.$queryRaw(Prisma.sql`
    UPDATE workspace_agents a SET
      first_connected_at = COALESCE(a.first_connected_at, ${now}::timestamptz),
      last_connected_at = GREATEST(${now}::timestamptz, a.last_connected_at, a.disconnected_at + interval '1 millisecond'),
      replica_id = ${replicaId}::uuid, updated_at = ${now}::timestamptz
    ${WORKSPACE_OF} AND a.id = ${agentId}::uuid
    RETURNING w.id AS "workspaceId", w.owner_id AS "ownerId"`);
  await services.bus.publish(services.prisma, agentConnectionsChannel, { agent_id: agentId, replica_id: replicaId });
  await tell(services, rows);
}

/**
 * The agent was heard from: due every 15 s while its tunnel is open, since silence of 30 s counts as a lost connection. False when the agent's
 * tunnel hangs on another replica by now: this one's is of no use any more.
 */
export async function agentStillConnected(services: Services, agentId: string): Promise<boolean> {
  const now = services.clock.now().toISOString();
  const updated = await services.prisma.$executeRaw(Prisma.sql`
    UPDATE workspace_agents SET
      last_connected_at = GREATEST(${now}::timestamptz, last_connected_at, disconnected_at + interval '1 millisecond')
    WHERE id = ${agentId}::uuid AND first_connected_at IS NOT NULL AND replica_id = ${services.settings.replica.id}::uuid`);
  return updated > 0;
}

/** Whether the agent's row says that its tunnel hangs on this replica. */
export async function holdsAgent(services: Services, agentId: string): Promise<boolean> {
  const row = await services.prisma.workspaceAgent.findUnique({ where: { id: agentId }, select: { replicaId: true } });
  return row?.replicaId === services.settings.replica.id;
}

/** The agent's last tunnel at this replica has closed; says nothing when another holds it by now. Tells as `agentConnected` does. */
export async function agentDisconnected(services: Services, agentId: string): Promise<void> {
  const now = services.clock.now().toISOString();
  const rows = await services.prisma.$queryRaw(Prisma.sql`
    UPDATE workspace_agents a SET
      disconnected_at = GREATEST(${now}::timestamptz, a.last_connected_at), replica_id = NULL, updated_at = ${now}::timestamptz
    ${WORKSPACE_OF} AND a.id = ${agentId}::uuid AND a.replica_id = ${services.settings.replica.id}::uuid
    RETURNING w.id AS "workspaceId", w.owner_id AS "ownerId"`);
  if (Moved.parse(rows).length > 0) {
    await services.bus.publish(services.prisma, agentConnectionsChannel, { agent_id: agentId, replica_id: null });
  }
  await tell(services, rows);
}

async function tell({ bus, prisma }: Services, rows: unknown): Promise<void> {
  const events = Moved.parse(rows).map(({ workspaceId, ownerId }) => ({ workspace_id: workspaceId, owner_id: ownerId, kind: 'agent' }));
  await bus.publishAll(prisma, workspaceChannel, events);
}
