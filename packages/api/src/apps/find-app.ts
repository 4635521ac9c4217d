import { isUuid } from '@berth/core';
import { Prisma } from '@berth/db';
import { can, workspaceObject } from '@berth/rbac';
import { userParamSql } from '../builds/index.ts';
import type { Principal, Services } from '../kernel/context.ts';
import type { AppRequest } from './app-request.ts';
import { AppRefusal } from './refusal.ts';

interface FoundRow {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly organizationId: string;
  readonly dormantAt: Date | null;
  readonly transition: string | null;
  readonly isBuilding: boolean;
  readonly hasAgents: boolean;
  readonly agentId: string | null;
}

/** Nobody has a uuid without a place in it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * The agent that the names of an app's address mean, by one statement. Says nothing about who may open it, but who may is told why it
 * cannot be opened now.
 *
 * @throws AppRefusal: stopped and starting for who may connect to the workspace; not_found, or not_signed_in, for everybody else.
 */
export async function findAgentOfApp(services: Services, principal: Principal, request: AppRequest): Promise<string> {
  const callerId = principal.kind === 'user' ? principal.userId : NOBODY;
  const rows = await services.prisma.$queryRaw<FoundRow[]>(Prisma.sql`
    SELECT w.id AS "workspaceId", w.name AS "workspaceName", w.owner_id AS "ownerId", o.username AS "ownerName",
      w.organization_id AS "organizationId", w.dormant_at AS "dormantAt", b.transition,
      (j.id IS NOT NULL AND j.completed_at IS NULL) AS "isBuilding", app."agentId",
      EXISTS (SELECT FROM workspace_resources r JOIN workspace_agents a ON a.resource_id = r.id WHERE r.job_id = b.job_id) AS "hasAgents"
    FROM workspaces w
    JOIN users o ON o.id = w.owner_id
    LEFT JOIN workspace_builds b ON b.id = w.latest_build_id
    LEFT JOIN provisioner_jobs j ON j.id = b.job_id
    LEFT JOIN LATERAL (
      SELECT a.id AS "agentId" FROM workspace_resources r JOIN workspace_agents a ON a.resource_id = r.id
      WHERE r.job_id = b.job_id AND ${isNamedSql(request)}) app ON true
    WHERE NOT w.deleted AND ${userParamSql(request.owner, callerId)} AND ${workspaceSql(request.workspace)}
    LIMIT 2`);
  const [row, other] = rows;
  // With two agents the address must say which one.
  if (row !== undefined && other === undefined && row.agentId !== null) return row.agentId;
  if (principal.kind === 'anonymous') throw new AppRefusal('not_signed_in');
  const object = row === undefined ? null : workspaceObject({ ...row, id: row.workspaceId });
  if (principal.kind !== 'user' || row === undefined || object === null) throw new AppRefusal('not_found');
  if (!can(principal.subject, 'application_connect', object)) throw new AppRefusal('not_found');
  const workspace = `${row.ownerName}/${row.workspaceName}`;
  if (row.transition === 'start' && row.isBuilding && !row.hasAgents) throw new AppRefusal('starting', { workspace });
  if (row.transition !== 'start') throw new AppRefusal('stopped', { workspace, isOwner: row.ownerId === callerId });
  throw new AppRefusal('not_found');
}

function workspaceSql(name: string): Prisma.Sql {
  return isUuid(name) ? Prisma.sql`w.id = ${name}::uuid` : Prisma.sql`lower(w.name) = lower(${name})`;
}

/** The agents `a` that the address can mean: the one that it names, and those that have the app. */
function isNamedSql({ agent, target }: AppRequest): Prisma.Sql {
  const isAgent = agent === '' ? Prisma.sql`true` : Prisma.sql`lower(a.name) = lower(${agent})`;
  if (target.kind === 'port') return isAgent;
  return Prisma.sql`${isAgent} AND EXISTS (SELECT FROM workspace_apps app
    WHERE app.agent_id = a.id AND app.slug = ${target.slug} AND NOT app.external AND app.url <> '')`;
}
