import type { AgentConnectionFacts } from '@berth/domain';
import { agentDisconnectedAt, agentHealth, agentStatus, startupScriptBehavior, subdomainName } from '@berth/domain';
import type { WorkspaceAgent, WorkspaceApp, WorkspaceResource } from './contract.ts';

/** What `AGENT_JSON` answers: the agent without what depends on the time and on the names around it. */
export type RawAgent = Omit<WorkspaceAgent, 'status' | 'health' | 'startup_script_behavior' | 'latency' | 'apps'> & {
  readonly apps: readonly Omit<WorkspaceApp, 'subdomain_name'>[];
  /** As it was measured last, perhaps of an earlier connection. */
  readonly latency_ms: number | null;
};
export type RawResource = Omit<WorkspaceResource, 'agents'> & { readonly agents: readonly RawAgent[] };

/** Connections go through the server itself, so this is the only way that has a latency. */
const RELAY_NAME = 'Berth';

/** Where an agent stands: what its app's domains are named after. */
export interface AgentPlace {
  readonly workspaceName: string;
  readonly ownerName: string;
  readonly now: Date;
}

/** Completes an agent as it is at `place.now`. */
export function presentAgent({ latency_ms, ...raw }: RawAgent, place: AgentPlace): WorkspaceAgent {
  const facts = connectionFacts(raw);
  const status = agentStatus(facts, place.now);
  return {
    ...raw,
    status,
    health: agentHealth(status, raw.lifecycle_state),
    disconnected_at: shownDisconnectedAt(raw, facts, place.now),
    startup_script_behavior: startupScriptBehavior(
      raw.scripts.map((script) => ({ runOnStart: script.run_on_start, startBlocksLogin: script.start_blocks_login })),
    ),
    latency: status === 'connected' && latency_ms !== null ? { [RELAY_NAME]: { preferred: true, latency_ms } } : {},
    apps: raw.apps.map((app) => ({ ...app, subdomain_name: appSubdomain(app, raw.name, place) })),
  };
}

export function presentResources(raw: readonly RawResource[], place: AgentPlace): WorkspaceResource[] {
  return raw.map((resource) => ({ ...resource, agents: resource.agents.map((agent) => presentAgent(agent, place)) }));
}

function connectionFacts(raw: Omit<RawAgent, 'latency_ms'>): AgentConnectionFacts {
  return {
    createdAt: new Date(raw.created_at),
    firstConnectedAt: dateOrNull(raw.first_connected_at),
    lastConnectedAt: dateOrNull(raw.last_connected_at),
    disconnectedAt: dateOrNull(raw.disconnected_at),
    connectionTimeoutSeconds: raw.connection_timeout_seconds,
  };
}

/** The text of the column it comes from, so that its microseconds stay. */
function shownDisconnectedAt(raw: Omit<RawAgent, 'latency_ms'>, facts: AgentConnectionFacts, now: Date): string | null {
  const shown = agentDisconnectedAt(facts, now);
  if (shown === null) return null;
  if (shown.getTime() === facts.disconnectedAt?.getTime()) return raw.disconnected_at;
  return shown.getTime() === facts.lastConnectedAt?.getTime() ? raw.last_connected_at : shown.toISOString();
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** The first label of the app's own domain; empty for apps that are reached by a path, and where the names do not fit into one label. */
function appSubdomain(app: { readonly slug: string; readonly subdomain: boolean }, agent: string, place: AgentPlace): string {
  return app.subdomain ? subdomainName(app.slug, { agent, workspace: place.workspaceName, owner: place.ownerName }) : '';
}
