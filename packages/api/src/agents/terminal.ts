import { DomainError } from '@berth/core';
import type { PtyStream, Tunnel } from '@berth/protocol/tunnel';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { whilePermitted } from '../kernel/while-permitted.ts';
import type { AgentFacts } from './agent-facts.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';

/** An agent that lost its connection tries again within seconds; a terminal waits for it that long. */
const RECONNECT_MS = 30_000;

export interface OpenTerminal {
  readonly agentId: string;
  /** Which terminal: the same id attaches to the same shell again. */
  readonly reconnect: string;
  readonly width: number;
  readonly height: number;
  /** Empty for the login shell. */
  readonly command: string;
  readonly signal: AbortSignal;
}

/**
 * Whether the caller may open a terminal of this agent, asked before a connection is upgraded.
 *
 * @throws not_found for who may not read the workspace, forbidden for who may not enter it, unavailable when the agent is of an
 * older build.
 */
export async function requireTerminal(call: UserCall, agentId: string): Promise<AgentFacts> {
  const agent = await loadAgentFacts(call.db, agentId);
  call.authorize.require(agentRef(agent));
  if (!agent.isCurrent) throw new DomainError('unavailable', 'The agent belongs to an older build of its workspace.');
  return agent;
}

/**
 * A shell in a workspace, or the one that `reconnect` names. Waits for an agent that is just coming back. It is closed when the caller
 * leaves, or loses the right to be there.
 */
export async function openTerminal(call: UserCall, options: OpenTerminal): Promise<PtyStream> {
  const { agentId, reconnect, width, height, command } = options;
  const agent = await requireTerminal(call, agentId);
  const { signal, release } = whilePermitted(call, { action: 'ssh', object: agentRef(agent), signal: options.signal });
  try {
    const tunnel = await waitForTunnel(call.services, agentId, { timeoutMs: RECONNECT_MS, signal });
    const terminal = await tunnel.openPty({ id: reconnect, width, height, command, signal });
    terminal.once('close', release);
    call.services.activity.note({ workspaceId: agent.workspaceId, userId: call.principal.userId, app: 'reconnecting-pty' });
    return terminal;
  } catch (error) {
    release();
    throw error;
  }
}

/** The agent's tunnel, now or as soon as it dials in. @throws unavailable when it does not within `timeoutMs`. */
export async function waitForTunnel(
  services: Services,
  agentId: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Tunnel> {
  const tunnel = await services.tunnels.wait(agentId, options);
  if (tunnel !== undefined) return tunnel;
  throw new DomainError('unavailable', 'The agent of the workspace is not connected.', {
    detail: 'Start the workspace, or wait for its agent.',
  });
}
