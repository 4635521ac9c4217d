import { notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { AgentConnectionFacts } from '@berth/domain';
import type { ObjectRef } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';

/** An agent with what the rules ask about it. */
export interface AgentFacts extends AgentConnectionFacts {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly organizationId: string;
  readonly dormantAt: Date | null;
  /** Whether its build is the latest of a workspace that is not deleted: only such an agent may connect. */
  readonly isCurrent: boolean;
}

/** An agent of a build, current or not. Agents that an import foresaw are none. Says nothing about who may see it. */
export async function loadAgentFacts(db: Tx, agentId: string): Promise<AgentFacts> {
  const [row] = await db.$queryRaw<AgentFacts[]>(Prisma.sql`
    SELECT a.id, a.name, w.id AS "workspaceId", w.owner_id AS "ownerId", w.organization_id AS "organizationId",
      w.dormant_at AS "dormantAt", COALESCE(w.latest_build_id = b.id, FALSE) AND NOT w.deleted AS "isCurrent",
      a.created_at AS "createdAt", a.first_connected_at AS "firstConnectedAt", a.last_connected_at AS "lastConnectedAt",
      a.disconnected_at AS "disconnectedAt", a.connection_timeout_seconds AS "connectionTimeoutSeconds"
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.id = b.workspace_id
    WHERE a.id = ${agentId}::uuid`);
  if (row === undefined) throw notFound();
  return row;
}

/** The agent as the permission rules see it: its workspace. */
export function agentRef(agent: AgentFacts): ObjectRef<'workspace' | 'workspace_dormant'> {
  return workspaceObject({
    id: agent.workspaceId,
    ownerId: agent.ownerId,
    organizationId: agent.organizationId,
    dormantAt: agent.dormantAt,
  });
}
