import type { Tunnel } from '@berth/protocol/tunnel';
import { dialTunnel } from '@berth/protocol/tunnel';
import type { TunnelRegistryParts } from '../tunnel-registry.ts';
import { RELAY_HEADER, signRelayRequest } from './credential.ts';
import type { Holder } from './find-holder.ts';
import { closeWhenIdle } from './idle.ts';

/** Signs of life between replicas: a holder that is gone without a word is noticed within this. */
const KEEP_ALIVE = { pingIntervalMs: 4000, deadAfterMs: 10_000 };
/** A relay that nothing goes through is closed after this. */
const IDLE_MS = 60_000;

/** Where a replica is asked for the tunnel of an agent, relative to its relay address. */
export function relayPath(agentId: string): string {
  return `/api/internal/agents/${agentId}/tunnel`;
}

interface Relay {
  readonly replicaId: string;
  readonly tunnel: Promise<Tunnel | undefined>;
  opened: Tunnel | undefined;
}

/** The ways to agents whose tunnels hang on other replicas: one for each agent, whatever goes through it. */
export class Relays {
  readonly #parts: TunnelRegistryParts;
  readonly #relays = new Map<string, Relay>();
  #isClosed = false;

  constructor(parts: TunnelRegistryParts) {
    this.#parts = parts;
  }

  /** The relay that is open already. */
  get(agentId: string): Tunnel | undefined {
    const opened = this.#relays.get(agentId)?.opened;
    return opened === undefined || opened.isClosed ? undefined : opened;
  }

  /** Dials the replica that holds the tunnel, or joins a dial under way; undefined when there is no way. Never rejects. */
  open(agentId: string, holder: Holder): Promise<Tunnel | undefined> {
    const present = this.#relays.get(agentId);
    if (present?.replicaId === holder.replicaId) return present.tunnel;
    this.#drop(agentId);
    const relay: Relay = { replicaId: holder.replicaId, opened: undefined, tunnel: this.#dial(agentId, holder) };
    this.#relays.set(agentId, relay);
    void relay.tunnel.then((tunnel) => {
      if (tunnel === undefined) return this.#forget(agentId, relay);
      relay.opened = tunnel;
      void tunnel.closed.then(() => this.#forget(agentId, relay));
      if (this.#isClosed || this.#relays.get(agentId) !== relay) tunnel.close();
      return undefined;
    });
    return relay.tunnel;
  }

  /** An agent's tunnel hangs on this replica now, or on none: a relay to any other leads nowhere. */
  moved(agentId: string, replicaId: string | null): void {
    if (this.#relays.get(agentId)?.replicaId !== replicaId) this.#drop(agentId);
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#relays.values()];
    for (const agentId of this.#relays.keys()) this.#drop(agentId);
    await Promise.all(open.map(async ({ tunnel }) => (await tunnel)?.closed));
  }

  async #dial(agentId: string, { replicaId, relayUrl }: Holder): Promise<Tunnel | undefined> {
    const { clock, settings, log } = this.#parts;
    const signature = signRelayRequest({ agentId, from: settings.replica.id, to: replicaId }, settings, clock.now());
    try {
      const tunnel = await dialTunnel({ url: `${relayUrl}${relayPath(agentId)}`, headers: { [RELAY_HEADER]: signature }, ...KEEP_ALIVE });
      log.debug({ agent_id: agentId, replica_id: replicaId }, 'an agent is reached through another replica');
      return closeWhenIdle(tunnel, IDLE_MS);
    } catch (error) {
      log.warn(
        { err: error, agent_id: agentId, replica_id: replicaId, relay_url: relayUrl },
        'another replica could not be reached for an agent',
      );
      return undefined;
    }
  }

  #drop(agentId: string): void {
    const relay = this.#relays.get(agentId);
    if (relay === undefined) return;
    this.#relays.delete(agentId);
    relay.opened?.close();
  }

  #forget(agentId: string, relay: Relay): void {
    if (this.#relays.get(agentId) === relay) this.#relays.delete(agentId);
  }
}
