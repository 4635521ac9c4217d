import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { AgentLifecycleState, AgentStatus } from '@berth/domain';

interface Look {
  readonly label: string;
  readonly color: string;
}

const STATUS: Readonly<Record<AgentStatus, Look>> = {
  connecting: { label: 'Connecting', color: 'blue' },
  connected: { label: 'Connected', color: 'green' },
  disconnected: { label: 'Disconnected', color: 'red' },
  timeout: { label: 'Not connected in time', color: 'orange' },
};

const LIFECYCLE: Readonly<Record<AgentLifecycleState, Look>> = {
  created: { label: 'Starting', color: 'blue' },
  starting: { label: 'Start script runs', color: 'blue' },
  start_timeout: { label: 'Start script is slow', color: 'orange' },
  start_error: { label: 'Start script failed', color: 'red' },
  ready: { label: 'Ready', color: 'green' },
  shutting_down: { label: 'Shutting down', color: 'orange' },
  shutdown_timeout: { label: 'Stop script is slow', color: 'orange' },
  shutdown_error: { label: 'Stop script failed', color: 'red' },
  off: { label: 'Off', color: 'gray' },
};

/** How an agent is shown: while it is connected by what it does, else by why it is not. */
export function agentLook(status: AgentStatus, lifecycle: AgentLifecycleState): Look {
  return status === 'connected' ? LIFECYCLE[lifecycle] : STATUS[status];
}

/** The round trip to an agent that was measured, by the way that counts: "3 ms"; empty while none was. */
export function latencyText(latency: WorkspaceAgent['latency']): string {
  const ways = Object.values(latency);
  const way = ways.find(({ preferred }) => preferred) ?? ways[0];
  if (way === undefined) return '';
  return way.latency_ms < 1 ? 'under 1 ms' : `${Math.round(way.latency_ms)} ms`;
}
