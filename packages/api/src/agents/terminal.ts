import { DomainError } from '@berth/core';
import type { PtyStream, Tunnel } from '@berth/protocol/tunnel';
import { TunnelError } from '@berth/protocol/tunnel';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { whilePermitted } from '../kernel/while-permitted.ts';
import type { OpenShare, ShareDoor } from '../workspace-shares/index.ts';
import { noteUse, shareFor, termsOf } from '../workspace-shares/index.ts';
import type { AgentFacts } from './agent-facts.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';

/** An agent that lost its connection tries again within seconds; a terminal waits for it that long. */
const RECONNECT_MS = 30_000;

/** Which terminal, and whether only to look on at it. */
export interface TerminalName {
  readonly agentId: string;
  /** The same id attaches to the same shell again. */
  readonly reconnect: string;
  /** Looks on at a terminal that is there: what is typed here goes nowhere. */
  readonly isReadOnly: boolean;
}

export interface OpenTerminal extends TerminalName {
  readonly width: number;
  readonly height: number;
  /** Empty for the login shell. */
  readonly command: string;
  readonly signal: AbortSignal;
  /** Called when the terminal is closed since the caller may not be there any more. */
  readonly onLost?: () => void;
}

interface LetIn {
  readonly agent: AgentFacts;
  /** Null for who enters by their own right. */
  readonly share: OpenShare | null;
  readonly door: ShareDoor;
}

/**
 * Whether the caller may open a terminal of this agent, asked before a connection is upgraded: by their own right, or by a share of the
 * workspace. A share of the sight of one terminal only lets look on at that one.
 *
 * @throws not_found for who may not read the workspace, forbidden for who may not enter it, unavailable when the agent is of an
 * older build.
 */
export async function requireTerminal(call: UserCall, { agentId, reconnect, isReadOnly }: TerminalName): Promise<LetIn> {
  const agent = await loadAgentFacts(call.db, agentId);
  const { workspaceId, name: agentName } = agent;
  const door: ShareDoor = isReadOnly
    ? { access: 'terminal_view', workspaceId, agentName, terminalId: reconnect }
    : { access: 'terminal', workspaceId, agentName };
  const isOwnRight = call.authorize.can('ssh', agentRef(agent));
  const share = isOwnRight ? null : await shareFor(call.services, call.principal.subject, door);
  if (share === null) call.authorize.require(agentRef(agent));
  if (!agent.isCurrent) throw new DomainError('unavailable', 'The agent belongs to an older build of its workspace.');
  return { agent, share, door };
}

/**
 * A shell in a workspace, or the one that `reconnect` names; it runs as the workspace's user, whoever opens it. Waits for an agent that is
 * just coming back. It is closed when the caller leaves, or loses the right or the share that lets them be there. What is opened by a share
 * is in the audit log before it is open.
 */
export async function openTerminal(call: UserCall, options: OpenTerminal): Promise<PtyStream> {
  const { services, principal, request } = call;
  const { agentId, reconnect, isReadOnly, width, height, command } = options;
  const { agent, share, door } = await requireTerminal(call, options);
  const { signal, release } = whilePermitted(call, {
    action: 'ssh',
    object: agentRef(agent),
    share: share === null ? undefined : termsOf(services, share, door),
    signal: options.signal,
  });
  signal.addEventListener('abort', () => options.signal.aborted || options.onLost?.(), { once: true });
  try {
    const tunnel = await waitForTunnel(services, agentId, { timeoutMs: RECONNECT_MS, signal });
    if (share !== null) await noteUse(services, { share, userId: principal.userId, request, always: true });
    const terminal = await tunnel.openPty({ id: reconnect, width, height, command, isReadOnly, signal }).catch((error: unknown) => {
      if (isReadOnly && error instanceof TunnelError && error.code === 'rejected') throw gone(error);
      throw error;
    });
    terminal.once('close', release);
    services.activity.note({ workspaceId: agent.workspaceId, userId: principal.userId, app: 'reconnecting-pty' });
    return terminal;
  } catch (error) {
    release();
    throw error;
  }
}

function gone(cause: TunnelError): DomainError {
  return new DomainError('not_found', 'This terminal is not there (any more).', { cause });
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
