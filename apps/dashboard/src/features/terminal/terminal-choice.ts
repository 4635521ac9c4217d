import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { agentsOf } from '../workspaces/situation.ts';

export interface TerminalChoice {
  readonly agents: readonly WorkspaceAgent[];
  /** The agent whose shell is shown; undefined when there is none to show one of. */
  readonly agent: WorkspaceAgent | undefined;
  /** Why there is no shell now; empty when there is one. */
  readonly obstacle: string;
}

/** Why there is no agent to open a shell in, by what the workspace was last told to do. */
const OBSTACLE: Readonly<Record<Workspace['latest_build']['transition'], string>> = {
  start: 'There is no agent to connect to yet.',
  stop: 'The workspace is not running. Start it to get a shell.',
  delete: 'The workspace is deleted, and its shells with it.',
};

/** Which agent a terminal opens in: the named one, else the first that is connected, else the first. */
export function terminalChoice(workspace: Workspace, wanted: string | undefined): TerminalChoice {
  const build = workspace.latest_build;
  const agents = build.transition === 'start' ? agentsOf(build) : [];
  const agent = agents.find(({ name }) => name === wanted) ?? agents.find(({ status }) => status === 'connected') ?? agents[0];
  if (agent === undefined) {
    return { agents, agent, obstacle: OBSTACLE[build.transition] };
  }
  // A shell that is open stays on screen over a short loss: its own connection says so.
  const isReachable = agent.first_connected_at !== null;
  return { agents, agent, obstacle: isReachable ? '' : `Waiting for the agent ${agent.name} to connect.` };
}
