import type { Principal, RequestFacts, Services } from '../kernel/context.ts';
import { isLoopback, portOf } from '../agents/listening-ports.ts';
import { noteUse } from '../workspace-shares/index.ts';
import type { AppFacts } from './app-facts.ts';
import { isNamedBy, readAppFacts } from './app-facts.ts';
import type { AppRequest } from './app-request.ts';
import { slugOrPort } from './app-request.ts';
import type { AppTokenUse } from './app-token.ts';
import { agentOfToken, signAppToken } from './app-token.ts';
import { findAgentOfApp } from './find-app.ts';
import type { Grant } from './grant.ts';
import { grantFor } from './grant.ts';
import { AppRefusal } from './refusal.ts';

/** Ports below are the system's. */
const LOWEST_PORT = 9;
/** A browser may hold one for each address of an app that it visited; more are not ours. */
const TOKENS_TRIED = 4;

/** Where the requests of an app go, inside the workspace. */
export interface AppTarget {
  readonly agentId: string;
  readonly workspaceId: string;
  readonly protocol: 'http' | 'https';
  readonly port: number;
  /** What every path of the app begins with, without a trailing slash. */
  readonly basePath: string;
  /** Of the app's own address, with its question mark; empty for most. */
  readonly query: string;
}

export interface OpenedApp {
  readonly target: AppTarget;
  readonly facts: AppFacts;
  readonly grant: Grant;
  /** For the cookie that spares the next request its look-up of names; null when the request has one already. */
  readonly token: () => Promise<string | null>;
}

export interface OpenApp {
  readonly request: AppRequest;
  /** The host of a subdomain app; empty for a path. */
  readonly host: string;
  readonly principal: Principal;
  /** The tokens that came with the request; those that do not fit are ignored. */
  readonly tokens: readonly string[];
  readonly facts: RequestFacts;
}

/**
 * Where an app is, for who may open it now. Asked on each request.
 *
 * @throws AppRefusal with the reason, which tells who may not open it nothing about whether it exists.
 */
export async function openApp(services: Services, { request, host, principal, tokens, facts: requestFacts }: OpenApp): Promise<OpenedApp> {
  const { target } = request;
  if (request.accessMethod === 'path' && !services.settings.pathApps.isEnabled) throw new AppRefusal('path_apps_off');
  if (target.kind === 'port' && target.port < LOWEST_PORT) throw new AppRefusal('system_port');
  const use = { request, host, principal };
  const known = await factsByToken(services, use, tokens);
  const facts = known ?? (await readAppFacts(services, await findAgentOfApp(services, principal, request), target));
  const grant = facts === null ? null : await grantFor(services, { principal, request, facts });
  if (facts === null || grant === null || !isReachedSo(facts, request)) {
    throw new AppRefusal(principal.kind === 'anonymous' ? 'not_signed_in' : 'not_found');
  }
  if (!facts.isConfirmed) {
    const workspace = `${facts.ownerName}/${facts.workspaceName}`;
    throw new AppRefusal('not_confirmed', principal.kind === 'user' ? { workspace } : {});
  }
  const opened: OpenedApp = {
    target: targetOf(facts),
    facts,
    grant,
    token: () => (known === null ? signAppToken(services, use, facts) : Promise.resolve(null)),
  };
  if (principal.kind === 'user') {
    services.activity.note({ workspaceId: facts.workspaceId, userId: principal.userId, app: `app:${slugOrPort(target)}` });
    if (grant.by === 'share') await noteUse(services, { share: grant.share, userId: principal.userId, request: requestFacts });
  }
  return opened;
}

async function factsByToken(services: Services, use: AppTokenUse, tokens: readonly string[]): Promise<AppFacts | null> {
  for (const token of tokens.slice(0, TOKENS_TRIED)) {
    const agentId = await agentOfToken(services, use, token);
    if (agentId === null) continue;
    const facts = await readAppFacts(services, agentId, use.request.target);
    if (facts !== null && isNamedBy(facts, use.request)) return facts;
  }
  return null;
}

/** An app that asked for a host of its own is never served below the dashboard's; what has only a path may have a host, too. */
function isReachedSo(facts: AppFacts, { accessMethod }: AppRequest): boolean {
  return accessMethod === 'subdomain' || !facts.isSubdomain;
}

function targetOf({ agentId, workspaceId, url: text }: AppFacts): AppTarget {
  const url = URL.parse(text);
  const port = portOf(text);
  if (url === null || port === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || !isLoopback(url.hostname)) {
    throw new AppRefusal('bad_address', { detail: 'The url of an app must be http://localhost or https://localhost, with a port.' });
  }
  if (port < LOWEST_PORT) throw new AppRefusal('system_port');
  return {
    agentId,
    workspaceId,
    protocol: url.protocol === 'https:' ? 'https' : 'http',
    port,
    basePath: url.pathname.replace(/\/+$/, ''),
    query: url.search,
  };
}
