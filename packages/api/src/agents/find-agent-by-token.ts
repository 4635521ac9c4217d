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
 * The agent that has this token, or null. A token counts while its build is the latest of a workspace that is not deleted and whose
 * owner is neither deleted nor suspended. While the next build runs the agents of the last one that made any still count: they run
 * their stop scripts and say what those print, also while that build is a restart, whose own agents are known by then.
 */
export async function findAgentByToken(prisma: Pick<PrismaClient, '$queryRaw'>, token: string): Promise<AgentPrincipal | null> {
  const rows = await prisma.$queryRaw<Row[]>(Prisma.sql`
    SELECT a.id AS "agentId", w.id AS "workspaceId", b.id AS "buildId", w.owner_id AS "ownerId"
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.id = b.workspace_id
    JOIN users u ON u.id = w.owner_id
    JOIN workspace_builds latest ON latest.id = w.latest_build_id
    JOIN provisioner_jobs job ON job.id = latest.job_id
    WHERE a.hashed_token = ${hashToken(token)} AND NOT w.deleted AND NOT u.deleted AND u.status <> 'suspended'
      AND (latest.id = b.id OR (job.completed_at IS NULL AND NOT EXISTS (
        SELECT FROM workspace_builds later
        JOIN workspace_resources lr ON lr.job_id = later.job_id
        JOIN workspace_agents la ON la.resource_id = lr.id
        WHERE later.workspace_id = w.id AND later.build_number > b.build_number AND later.id <> latest.id)))`);
  const [row] = rows;
  return row === undefined ? null : { kind: 'agent', ...row };
}
