import { hashToken } from '@berth/core/secrets';
import type { PrismaClient } from '@berth/db';
import { Prisma } from '@berth/db';
import type { AgentPrincipal } from '../kernel/context.ts';

interface Row {
  readonly agentId: string;
  readonly workspaceId: string;
  readonly buildId: string;
  readonly ownerId: string;
}

/**
 * The agent that has this token, or null. A token counts only while its build is the latest of a workspace that is not deleted and
 * whose owner is neither deleted nor suspended: older agents are shut out the moment a new build begins.
 */
export async function findAgentByToken(prisma: Pick<PrismaClient, '$queryRaw'>, token: string): Promise<AgentPrincipal | null> {
  const rows = await prisma.$queryRaw<Row[]>(Prisma.sql`
    SELECT a.id AS "agentId", w.id AS "workspaceId", b.id AS "buildId", w.owner_id AS "ownerId"
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.latest_build_id = b.id
    JOIN users u ON u.id = w.owner_id
    WHERE a.hashed_token = ${hashToken(token)} AND NOT w.deleted AND NOT u.deleted AND u.status <> 'suspended'`);
  const [row] = rows;
  return row === undefined ? null : { kind: 'agent', ...row };
}
