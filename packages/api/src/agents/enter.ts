import { DomainError } from '@berth/core';
import type { TcpStream, Tunnel } from '@berth/protocol/tunnel';
import type { UsedApp } from '../activity/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { whilePermitted } from '../kernel/while-permitted.ts';
import type { AgentFacts } from './agent-facts.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';
import { waitForTunnel } from './terminal.ts';

/** An agent that lost its connection tries again within seconds; a connection waits for it that long. */
const RECONNECT_MS = 30_000;
/** Use that goes on is noted again this often. */
const NOTE_AGAIN_MS = 60_000;
/** In that time. */
const BYTES_OF_USE = 512;

export interface EnterWorkspace {
  readonly agentId: string;
  readonly signal: AbortSignal;
  /** Called when the connection is closed since the caller may not be there any more. */
  readonly onLost?: () => void;
}

/**
 * Whether the caller may connect into the workspace of this agent, asked before a connection is upgraded.
 *
 * @throws not_found for who may not read the workspace, forbidden for who may not enter it, unavailable when the agent is of an
 * older build.
 */
export async function requireEntry(call: UserCall, agentId: string): Promise<AgentFacts> {
  const agent = await loadAgentFacts(call.db, agentId);
  call.authorize.require(agentRef(agent));
  if (!agent.isCurrent) throw new DomainError('unavailable', 'The agent belongs to an older build of its workspace.');
  return agent;
}

/**
 * A connection to the SSH server of a workspace. `stream` names one that outlives its carriers (`@berth/protocol/resumable`), which only
 * the same user can go on with; empty for plain bytes. Waits for an agent that is just coming back, and closes when the caller leaves or
 * loses the right to be there.
 */
export function openSsh(call: UserCall, { stream, ...options }: EnterWorkspace & { readonly stream: string }): Promise<TcpStream> {
  return enter(call, options, 'ssh', (tunnel, signal) => tunnel.connectSsh({ stream, holder: call.principal.userId, signal }));
}

/** A TCP connection to a port of a workspace's loopback; otherwise as `openSsh`. */
export function openTcp(call: UserCall, { port, ...options }: EnterWorkspace & { readonly port: number }): Promise<TcpStream> {
  return enter(call, options, '', (tunnel, signal) => tunnel.connectTcp(port, { signal }));
}

async function enter(
  call: UserCall,
  { agentId, signal: callerLeft, onLost }: EnterWorkspace,
  app: UsedApp,
  connect: (tunnel: Tunnel, signal: AbortSignal) => Promise<TcpStream>,
): Promise<TcpStream> {
  const { services, principal } = call;
  const agent = await requireEntry(call, agentId);
  const { signal, release } = whilePermitted(call, { action: 'ssh', object: agentRef(agent), signal: callerLeft });
  signal.addEventListener('abort', () => callerLeft.aborted || onLost?.(), { once: true });
  try {
    const tunnel = await waitForTunnel(services, agentId, { timeoutMs: RECONNECT_MS, signal });
    const stream = await connect(tunnel, signal);
    const note = (): void => services.activity.note({ workspaceId: agent.workspaceId, userId: principal.userId, app });
    note();
    const noting = noteWhileUsed(stream, note);
    stream.once('close', () => {
      clearInterval(noting);
      release();
    });
    return stream;
  } catch (error) {
    release();
    throw error;
  }
}

/** An open connection alone is no use: only one that carries something does, more than its signs of life. */
function noteWhileUsed(stream: TcpStream, note: () => void): NodeJS.Timeout {
  let seen = 0;
  const timer = setInterval(() => {
    if (stream.bytesCarried - seen > BYTES_OF_USE) note();
    seen = stream.bytesCarried;
  }, NOTE_AGAIN_MS);
  timer.unref();
  return timer;
}
