import type { Tunnel } from '@berth/protocol/tunnel';
import { authChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { agentConnected, agentDisconnected, agentStillConnected, holdsAgent } from './connection.ts';

const HEARTBEAT_MS = 15_000;

export interface HeldAgent {
  readonly agentId: string;
  readonly ownerId: string;
  /** Whether the agent's credential still counts. */
  readonly isCurrent: () => Promise<boolean>;
}

/**
 * Holds the tunnel that an agent dialled to this replica: the agent counts as connected while it lives. It ends when the agent's token does, and
 * when the agent has connected anew, here or at another replica: what stands on its row last counts. Resolves when the tunnel is gone
 * and that is written.
 */
export function holdTunnel(services: Services, tunnel: Tunnel, agent: HeldAgent): Promise<void> {
  const life = hold(services, tunnel, agent);
  services.tunnels.accompany(life);
  return life;
}

async function hold(services: Services, tunnel: Tunnel, { agentId, ownerId, isCurrent }: HeldAgent): Promise<void> {
  const { bus, log } = services;
  let isWritten = false;
  const guarded = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => log.warn({ err: error, agent_id: agentId }, 'an agent’s tunnel could not be looked after'));
  const closeUnlessHeld = async (): Promise<void> => {
    if (isWritten && !tunnel.isClosed && !(await holdsAgent(services, agentId))) tunnel.close();
  };
  const beat = (): void =>
    guarded(async () => {
      if (tunnel.isClosed) return;
      if (!(await isCurrent()) || (isWritten && !(await agentStillConnected(services, agentId)))) tunnel.close();
    });

  services.tunnels.add(agentId, tunnel, () => guarded(closeUnlessHeld));
  const subscriptions = [
    bus.subscribe(authChannel, (news) => {
      if (news.user_id === ownerId) beat();
    }),
    bus.onReconnect(beat),
  ];
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await inTurn(agentId, () => agentConnected(services, agentId));
    isWritten = true;
    // News of a connection that came in between found nothing to compare with.
    await closeUnlessHeld();
    heartbeat = setInterval(beat, HEARTBEAT_MS);
    await tunnel.closed;
  } catch (error) {
    tunnel.close();
    throw error;
  } finally {
    clearInterval(heartbeat);
    for (const unsubscribe of subscriptions) unsubscribe();
  }
  await inTurn(agentId, async () => {
    if (services.tunnels.get(agentId) === undefined) await agentDisconnected(services, agentId);
  });
}

const turns = new Map<string, Promise<unknown>>();

/** What is written of one agent is written one after the other, so that an end never overtakes the beginning after it. */
async function inTurn(agentId: string, work: () => Promise<void>): Promise<void> {
  const mine = (turns.get(agentId) ?? Promise.resolve()).then(work, work);
  turns.set(agentId, mine);
  try {
    await mine;
  } finally {
    if (turns.get(agentId) === mine) turns.delete(agentId);
  }
}
