import { notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import type { WorkspaceFacts } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { RawAgent } from './agent-presenter.ts';
import { presentAgent } from './agent-presenter.ts';
import { AGENT_JSON } from './agent-sql.ts';
import type { AgentPath, WorkspaceAgent } from './contract.ts';

interface AgentRow extends WorkspaceFacts {
  readonly id: string;
  readonly workspaceName: string;
  readonly ownerName: string;
  readonly agent: string;
}

/** An agent of a workspace that the caller may read, by one statement. */
export async function getAgent(call: UserCall, { workspaceagent }: z.output<typeof AgentPath>): Promise<WorkspaceAgent> {
  const [row] = await call.db.$queryRaw<AgentRow[]>(Prisma.sql`
    SELECT w.id, w.owner_id AS "ownerId", w.organization_id AS "organizationId", w.dormant_at AS "dormantAt", w.name AS "workspaceName",
      o.username AS "ownerName", (${AGENT_JSON})::text AS agent
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.id = b.workspace_id
    JOIN users o ON o.id = w.owner_id
    WHERE a.id = ${workspaceagent}::uuid`);
  if (row === undefined) throw notFound();
  call.authorize.require(workspaceObject(row));
  const { workspaceName, ownerName } = row;
  return presentAgent(JSON.parse(row.agent) as RawAgent, { workspaceName, ownerName, now: call.services.clock.now() });
}
