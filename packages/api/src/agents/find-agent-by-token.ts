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
 * The agent that has this token, or null. A token counts until a later build of its workspace has succeeded, as long as the workspace is
 * not deleted and its owner neither deleted nor suspended. So what a build is about to end can still say what its stop scripts print,
 * also while that build is a restart, whose own agents are known by then; and it goes on saying it when the build is canceled or fails.
 */
export async function findAgentByToken(prisma: Pick<PrismaClient, '$queryRaw'>, token: string): Promise<AgentPrincipal | null> {
  const rows = await prisma.$queryRaw<Row[]>(Prisma.sql`
    SELECT a.id AS "agentId", w.id AS "workspaceId", b.id AS "buildId", w.owner_id AS "ownerId"
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.id = b.workspace_id
    JOIN users u ON u.id = w.owner_id
    WHERE a.hashed_token = ${hashToken(token)} AND NOT w.deleted AND NOT u.deleted AND u.status <> 'suspended'
      AND NOT EXISTS (
        SELECT FROM workspace_builds later JOIN provisioner_jobs job ON job.id = later.job_id
        WHERE later.workspace_id = w.id AND later.build_number > b.build_number
          AND job.completed_at IS NOT NULL AND job.canceled_at IS NULL AND job.error = '')`);
  const [row] = rows;
  return row === undefined ? null : { kind: 'agent', ...row };
}
