import { DomainError, isUuid, notFound, unauthenticated } from '@berth/core';
import { Prisma } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { canUnchecked, workspaceObject } from '@berth/rbac';
import { userParamSql } from '../builds/index.ts';
import type { Principal, Services } from '../kernel/context.ts';
import { isLoopback, portOf } from './listening-ports.ts';

/** What the path of an app names. */
export interface AppPath {
  /** A user name, an id, or `me`. */
  readonly owner: string;
  readonly workspace: string;
  /** Needed only where several agents have an app of this slug. */
  readonly agent?: string | undefined;
  readonly slug: string;
}

/** Where the requests of an app go, inside the workspace. */
export interface AppTarget {
  readonly agentId: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly basePath: string;
  /** What the right to connect is asked about, for as long as a connection lasts. */
  readonly object: ObjectRef;
}

interface AppRow {
  readonly agentId: string;
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly organizationId: string;
  readonly dormantAt: Date | null;
  readonly url: string;
}

/**
 * Where a path app is, for who may open it: the workspace's owner alone, whatever its sharing level, since on a path it shares its
 * origin with the dashboard. To everyone else it does not exist.
 */
export async function resolveApp(services: Services, principal: Principal, path: AppPath): Promise<AppTarget> {
  if (principal.kind === 'anonymous') throw unauthenticated();
  if (principal.kind !== 'user') throw notFound();
  const app = await findApp(services, path, principal.userId);
  const object = workspaceObject({ ...app, id: app.workspaceId });
  const mayConnect = canUnchecked(principal.subject, 'application_connect', object);
  if (app.ownerId !== principal.userId || !mayConnect) throw notFound();
  const url = URL.parse(app.url);
  const port = portOf(app.url);
  if (url === null || port === null || url.protocol !== 'http:' || !isLoopback(url.hostname)) {
    throw new DomainError('unavailable', 'The app has no address that can be reached through its agent.', {
      detail: 'The url of an app must be http://localhost with a port.',
    });
  }
  services.activity.note({ workspaceId: app.workspaceId, userId: principal.userId, app: `app:${path.slug}` });
  return { agentId: app.agentId, host: url.hostname, port, basePath: url.pathname.replace(/\/+$/, ''), object };
}

async function findApp({ prisma }: Services, { owner, workspace, agent, slug }: AppPath, callerId: string): Promise<AppRow> {
  const isNamed = isUuid(workspace) ? Prisma.sql`w.id = ${workspace}::uuid` : Prisma.sql`lower(w.name) = lower(${workspace})`;
  const ofAgent = agent === undefined ? Prisma.empty : Prisma.sql`AND lower(a.name) = lower(${agent})`;
  const rows = await prisma.$queryRaw<AppRow[]>(Prisma.sql`
    SELECT a.id AS "agentId", w.id AS "workspaceId", w.owner_id AS "ownerId", w.organization_id AS "organizationId",
      w.dormant_at AS "dormantAt", app.url
    FROM workspaces w
    JOIN users o ON o.id = w.owner_id
    JOIN workspace_builds b ON b.id = w.latest_build_id
    JOIN workspace_resources r ON r.job_id = b.job_id
    JOIN workspace_agents a ON a.resource_id = r.id
    JOIN workspace_apps app ON app.agent_id = a.id
    WHERE NOT w.deleted AND ${userParamSql(owner, callerId)} AND ${isNamed}
      ${ofAgent} AND app.slug = ${slug} AND NOT app.external AND NOT app.subdomain AND app.url <> ''
    LIMIT 2`);
  const [app, other] = rows;
  // With two agents the path must say which one.
  if (app === undefined || other !== undefined) throw notFound();
  return app;
}
