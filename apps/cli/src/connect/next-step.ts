import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';

/** Whether a shell waits for the start scripts: always, never, or when the template says so. */
export const WAIT_MODES = ['auto', 'yes', 'no'] as const;
export type WaitMode = (typeof WAIT_MODES)[number];

/** What has to happen before somebody can be connected. */
export type Step =
  | { readonly kind: 'connect'; /** Worth saying before; empty for nothing. */ readonly remark: string }
  | { readonly kind: 'start' }
  /** The last build failed, or ours did. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'wait'; readonly doing: 'build' | 'agent' | 'scripts'; readonly sentence: string }
  | { readonly kind: 'never'; readonly sentence: string };

/** What to do about a workspace as it is now. `agent` is undefined while there is none. */
export function nextStep(workspace: Workspace, agent: WorkspaceAgent | undefined, wait: WaitMode): Step {
  const { name, latest_build: build } = workspace;
  switch (build.status) {
    case 'running':
      return agent === undefined ? { kind: 'never', sentence: `The workspace ${name} has no agent.` } : agentStep(name, agent, wait);
    case 'pending':
    case 'starting':
      if (build.transition === 'start') return { kind: 'wait', doing: 'build', sentence: `Starting ${name}` };
      return leaving(workspace);
    case 'stopping':
    case 'deleting':
      return leaving(workspace);
    case 'canceling':
      return { kind: 'wait', doing: 'build', sentence: `Waiting for a build of ${name} to be canceled` };
    case 'stopped':
    case 'canceled':
      return { kind: 'start' };
    case 'failed':
      return { kind: 'failed' };
    case 'deleted':
      return { kind: 'never', sentence: `The workspace ${name} was deleted.` };
  }
}

function leaving({ name, latest_build: { transition } }: Workspace): Step {
  if (transition === 'delete') return { kind: 'never', sentence: `The workspace ${name} is being deleted.` };
  return { kind: 'wait', doing: 'build', sentence: `Waiting for ${name} to stop, to start it again` };
}

function agentStep(name: string, agent: WorkspaceAgent, wait: WaitMode): Step {
  switch (agent.status) {
    case 'connecting':
      return { kind: 'wait', doing: 'agent', sentence: `Waiting for the agent of ${name} to connect` };
    case 'timeout': {
      const help = agent.troubleshooting_url === '' ? '' : ` (help: ${agent.troubleshooting_url})`;
      return {
        kind: 'wait',
        doing: 'agent',
        sentence: `The agent of ${name} has not connected for ${agent.connection_timeout_seconds} s${help}`,
      };
    }
    case 'disconnected':
      return { kind: 'wait', doing: 'agent', sentence: `The agent of ${name} has lost its connection; waiting for it` };
    case 'connected':
      return lifecycleStep(name, agent, wait);
  }
}

function lifecycleStep(name: string, agent: WorkspaceAgent, wait: WaitMode): Step {
  const isBlocking = wait === 'yes' || (wait === 'auto' && agent.startup_script_behavior === 'blocking');
  switch (agent.lifecycle_state) {
    case 'created':
    case 'starting':
      if (isBlocking) return { kind: 'wait', doing: 'scripts', sentence: `Waiting for the start scripts of ${name}` };
      return { kind: 'connect', remark: wait === 'no' || !hasStartScript(agent) ? '' : `The start scripts of ${name} are still running.` };
    case 'start_timeout':
      return { kind: 'connect', remark: `A start script of ${name} exceeded its time limit, so something may be missing.` };
    case 'start_error':
      return { kind: 'connect', remark: `A start script of ${name} failed, so something may be missing.` };
    case 'ready':
      return { kind: 'connect', remark: '' };
    case 'shutting_down':
    case 'shutdown_timeout':
    case 'shutdown_error':
    case 'off':
      return { kind: 'wait', doing: 'agent', sentence: `The agent of ${name} is shutting down` };
  }
}

function hasStartScript({ scripts }: WorkspaceAgent): boolean {
  return scripts.some((script) => script.run_on_start);
}
