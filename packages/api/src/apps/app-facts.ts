import { Prisma } from '@berth/db';
import type { SharingLevel } from '@berth/domain';
import { SHARING_LEVELS } from '@berth/domain';
import type { ObjectRef } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';
import type { Services } from '../kernel/context.ts';
import type { AppRequest, AppRequestTarget } from './app-request.ts';

/** What decides about an app of an agent, as it is now. */
export interface AppFacts {
  readonly agentId: string;
  readonly agentName: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly templateId: string;
  readonly isSubdomain: boolean;
  /** Whom it is open to, beyond those who may connect to the workspace anyway. */
  readonly level: SharingLevel;
  /** Of an app its own address, of a port the one that it means. */
  readonly url: string;
  /** False while the app's health check asks whose program answers, and has not confirmed that it is this workspace's. */
  readonly isConfirmed: boolean;
  /** What the right to connect is asked about. */
  readonly object: ObjectRef;
}

interface Row {
  readonly agentName: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ownerIsActive: boolean;
  readonly organizationId: string;
  readonly dormantAt: Date | null;
  readonly templateId: string;
  readonly maxPortLevel: string;
  readonly appUrl: string | null;
  readonly appLevel: string | null;
  readonly isSubdomain: boolean | null;
  readonly checkUrl: string | null;
  readonly health: string | null;
  readonly portLevel: string | null;
}

/**
 * An app or a port of an agent by the agent's id: asked on each request and again while a connection lasts, so what a build, a template, a
 * share or a deletion changes counts at once. One statement, by primary keys. Null: the agent is not of the latest build of a living
 * workspace any more, or has no such app.
 */
export async function readAppFacts({ prisma }: Services, agentId: string, target: AppRequestTarget): Promise<AppFacts | null> {
  const slug = target.kind === 'app' ? target.slug : '';
  const port = target.kind === 'port' ? target.port : 0;
  const [row] = await prisma.$queryRaw<Row[]>(Prisma.sql`
    SELECT a.name AS "agentName", w.id AS "workspaceId", w.name AS "workspaceName", w.owner_id AS "ownerId", o.username AS "ownerName",
      o.status <> 'suspended' AS "ownerIsActive", w.organization_id AS "organizationId", w.dormant_at AS "dormantAt",
      w.template_id AS "templateId", t.max_port_share_level AS "maxPortLevel",
      app.url AS "appUrl", app.sharing_level AS "appLevel", app.subdomain AS "isSubdomain",
      app.healthcheck_url AS "checkUrl", app.health, s.share_level AS "portLevel"
    FROM workspace_agents a
    JOIN workspace_resources r ON r.id = a.resource_id
    JOIN workspace_builds b ON b.job_id = r.job_id
    JOIN workspaces w ON w.id = b.workspace_id AND w.latest_build_id = b.id AND NOT w.deleted
    JOIN users o ON o.id = w.owner_id AND NOT o.deleted
    JOIN templates t ON t.id = w.template_id
    LEFT JOIN workspace_apps app ON app.agent_id = a.id AND app.slug = ${slug} AND NOT app.external AND app.url <> ''
    LEFT JOIN workspace_port_shares s ON s.workspace_id = w.id AND s.agent_name = a.name AND s.port = ${port}
    WHERE a.id = ${agentId}::uuid`);
  if (row === undefined || (target.kind === 'app' && row.appUrl === null)) return null;
  const url = target.kind === 'app' ? (row.appUrl ?? '') : `${target.protocol}://127.0.0.1:${target.port}`;
  return {
    agentId,
    agentName: row.agentName,
    workspaceId: row.workspaceId,
    workspaceName: row.workspaceName,
    ownerId: row.ownerId,
    ownerName: row.ownerName,
    templateId: row.templateId,
    isSubdomain: row.isSubdomain ?? true,
    level: levelOf(row, target),
    url,
    // As the agent judges it: only such a check is strict about who answers.
    isConfirmed: row.health === 'healthy' || row.checkUrl === null || !row.checkUrl.includes(row.workspaceId),
    object: workspaceObject({ ...row, id: row.workspaceId }),
  };
}

/** A share of a port never goes beyond what the template allows now. What a suspended account shares, it shares with nobody. */
function levelOf({ ownerIsActive, appLevel, portLevel, maxPortLevel }: Row, target: AppRequestTarget): SharingLevel {
  if (!ownerIsActive) return 'owner';
  if (target.kind === 'app') return readLevel(appLevel);
  const [shared, most] = [readLevel(portLevel), readLevel(maxPortLevel)];
  return SHARING_LEVELS.indexOf(shared) <= SHARING_LEVELS.indexOf(most) ? shared : most;
}

function readLevel(text: string | null): SharingLevel {
  return SHARING_LEVELS.find((level) => level === text) ?? 'owner';
}

/** Whether an address still means this app: names change, and tokens remember where they led. */
export function isNamedBy(facts: AppFacts, { owner, workspace, agent }: AppRequest): boolean {
  const is = (name: string, ...candidates: string[]): boolean => candidates.some((one) => one.toLowerCase() === name.toLowerCase());
  return (
    is(owner, facts.ownerName, facts.ownerId) &&
    is(workspace, facts.workspaceName, facts.workspaceId) &&
    (agent === '' || is(agent, facts.agentName))
  );
}
