import type { AgentLifecycleState, AgentStatus, AppHealth, StartupScriptBehavior } from './enums.ts';

/** An agent that was not heard from for this long counts as disconnected: two missed updates. */
export const AGENT_INACTIVE_MS = 30_000;

export interface AgentConnectionFacts {
  readonly createdAt: Date;
  readonly firstConnectedAt: Date | null;
  readonly lastConnectedAt: Date | null;
  readonly disconnectedAt: Date | null;
  /** 0 means that it may take forever. */
  readonly connectionTimeoutSeconds: number;
}

/** Whether the server hears from an agent at `now`. */
export function agentStatus(agent: AgentConnectionFacts, now: Date, inactiveMs: number = AGENT_INACTIVE_MS): AgentStatus {
  if (agent.firstConnectedAt === null) {
    const timeoutMs = agent.connectionTimeoutSeconds * 1000;
    return timeoutMs > 0 && now.getTime() - agent.createdAt.getTime() > timeoutMs ? 'timeout' : 'connecting';
  }
  const lastHeard = (agent.lastConnectedAt ?? agent.firstConnectedAt).getTime();
  if (agent.disconnectedAt !== null && agent.disconnectedAt.getTime() >= lastHeard) return 'disconnected';
  return now.getTime() - lastHeard > inactiveMs ? 'disconnected' : 'connected';
}

/** When the agent was lost, as shown: the recorded time, or the last sign of life of one that fell silent. */
export function agentDisconnectedAt(agent: AgentConnectionFacts, now: Date, inactiveMs: number = AGENT_INACTIVE_MS): Date | null {
  if (agentStatus(agent, now, inactiveMs) !== 'disconnected') return agent.disconnectedAt;
  const lastHeard = agent.lastConnectedAt ?? agent.firstConnectedAt;
  if (agent.disconnectedAt !== null && (lastHeard === null || agent.disconnectedAt >= lastHeard)) return agent.disconnectedAt;
  return lastHeard;
}

export interface AgentHealth {
  readonly healthy: boolean;
  /** Empty when healthy. */
  readonly reason: string;
}

/** The health of an agent; the first rule that applies gives the reason. */
export function agentHealth(status: AgentStatus, lifecycle: AgentLifecycleState): AgentHealth {
  if (status !== 'connected' && lifecycle === 'off') return unhealthy('The agent is not running.');
  if (status === 'timeout') return unhealthy('The agent is taking too long to connect.');
  if (status === 'disconnected') return unhealthy('The agent has lost its connection.');
  switch (lifecycle) {
    case 'start_error':
      return unhealthy('A start script of the agent failed.');
    case 'shutting_down':
    case 'shutdown_timeout':
    case 'shutdown_error':
    case 'off':
      return unhealthy('The agent is shutting down.');
    case 'created':
    case 'starting':
    case 'start_timeout':
    case 'ready':
      return { healthy: true, reason: '' };
  }
}

function unhealthy(reason: string): AgentHealth {
  return { healthy: false, reason };
}

/** The health of a workspace: that of the agents of its latest build. */
export function workspaceHealth(agents: readonly { readonly id: string; readonly health: AgentHealth }[]): {
  readonly healthy: boolean;
  readonly failingAgents: string[];
} {
  const failingAgents = agents.filter((agent) => !agent.health.healthy).map((agent) => agent.id);
  return { healthy: failingAgents.length === 0, failingAgents };
}

/** How an app begins: without a check there is nothing to say about it. */
export function initialAppHealth(healthcheckUrl: string): AppHealth {
  return healthcheckUrl === '' ? 'disabled' : 'initializing';
}

/** The health after an agent's report. A report about an app without a check changes nothing, and none can disable a check. */
export function appHealthAfterReport(current: AppHealth, reported: AppHealth): AppHealth {
  return current === 'disabled' || reported === 'disabled' ? current : reported;
}

/** A shell waits if any script that runs on start says so. */
export function startupScriptBehavior(
  scripts: readonly { readonly runOnStart: boolean; readonly startBlocksLogin: boolean }[],
): StartupScriptBehavior {
  return scripts.some((script) => script.runOnStart && script.startBlocksLogin) ? 'blocking' : 'non-blocking';
}

/** The times that a newly reported lifecycle state sets; null clears, absent keeps. */
export function lifecycleTimes(
  state: AgentLifecycleState,
  { changedAt, startedAt }: { readonly changedAt: Date; readonly startedAt: Date | null },
): { readonly startedAt?: Date; readonly readyAt?: Date | null } {
  switch (state) {
    case 'starting':
      return { startedAt: changedAt, readyAt: null };
    case 'ready':
    case 'start_timeout':
    case 'start_error':
      return startedAt === null ? { startedAt: changedAt, readyAt: changedAt } : { readyAt: changedAt };
    case 'created':
    case 'shutting_down':
    case 'shutdown_timeout':
    case 'shutdown_error':
    case 'off':
      return {};
  }
}
