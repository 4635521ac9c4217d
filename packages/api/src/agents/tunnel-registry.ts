import type { Clock } from '@berth/core';
import type { Bus, PrismaClient } from '@berth/db';
import type { Tunnel } from '@berth/protocol/tunnel';
import { agentConnectionsChannel } from '../kernel/channels.ts';
import type { Log, Settings } from '../kernel/context.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { LocalTunnels } from './local-tunnels.ts';
import { findHolder } from './relay/find-holder.ts';
import type { Holder } from './relay/find-holder.ts';
import { Relays } from './relay/relays.ts';

/** While another replica should hold the tunnel and cannot be reached, it is tried again this often. */
const RETRY_MS = 1000;
/** News can be lost: the row is read again this often. */
const ASK_AGAIN_MS = 5000;

/** The agents' tunnels: those that this replica holds, and relays to those that others hold. */
export interface TunnelRegistry {
  /**
   * Takes over a tunnel that an agent dialled; an earlier one of the same agent is closed. `onRival` is called at news that the agent has
   * connected to another replica, or to none.
   */
  add(agentId: string, tunnel: Tunnel, onRival?: () => void): void;
  /** The live tunnel of an agent that hangs on this very replica; undefined when there is none. */
  get(agentId: string): Tunnel | undefined;
  /** The live tunnels that hang on this very replica, each with its agent's id. */
  held(): readonly (readonly [string, Tunnel])[];
  /**
   * A way to the agent, as soon as there is one: its tunnel, or a relay to the replica that holds it; undefined when `timeoutMs` passed or
   * `signal` aborted first. Waits for news, so a terminal opens the moment its agent is back, wherever that is.
   */
  wait(agentId: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<Tunnel | undefined>;
  /** Lets `closeAll` wait for what a tunnel leaves to do. */
  accompany(life: Promise<void>): void;
  /** Closes every tunnel and relay, wakes everyone who waits, and resolves when all is done. */
  closeAll(): Promise<void>;
}

export interface TunnelRegistryParts {
  readonly prisma: PrismaClient;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, 'replica' | 'deploymentKey'>;
}

/** The registry of one server process. Which replica holds an agent's tunnel stands on the agent's row, and is told by news. */
export function createTunnelRegistry(parts: TunnelRegistryParts): TunnelRegistry {
  return new RelayingTunnelRegistry(parts);
}

class RelayingTunnelRegistry implements TunnelRegistry {
  readonly #parts: TunnelRegistryParts;
  readonly #local = new LocalTunnels();
  readonly #relays: Relays;
  readonly #rivalHandlers = new Map<string, () => void>();
  readonly #waiters = new Map<string, Set<Wakeup>>();
  readonly #lives = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(parts: TunnelRegistryParts) {
    this.#parts = parts;
    this.#relays = new Relays(parts);
    this.#unsubscribe = [
      parts.bus.subscribe(agentConnectionsChannel, ({ agent_id, replica_id }) => {
        this.#relays.moved(agent_id, replica_id);
        this.#wake(agent_id);
        if (replica_id !== parts.settings.replica.id) this.#rivalHandlers.get(agent_id)?.();
      }),
      parts.bus.onReconnect(() => {
        for (const agentId of this.#waiters.keys()) this.#wake(agentId);
      }),
    ];
  }

  add(agentId: string, tunnel: Tunnel, onRival: () => void = () => undefined): void {
    this.#local.add(agentId, tunnel);
    this.#rivalHandlers.set(agentId, onRival);
    void tunnel.closed.then(() => {
      if (this.#rivalHandlers.get(agentId) === onRival) this.#rivalHandlers.delete(agentId);
    });
    this.#wake(agentId);
  }

  get(agentId: string): Tunnel | undefined {
    return this.#local.get(agentId);
  }

  held(): readonly (readonly [string, Tunnel])[] {
    return this.#local.all();
  }

  async wait(
    agentId: string,
    { timeoutMs, signal: left }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Tunnel | undefined> {
    const present = this.#local.get(agentId) ?? this.#relays.get(agentId);
    if (present !== undefined || left?.aborted === true || this.#closing.signal.aborted) return present;
    const signal = left === undefined ? this.#closing.signal : AbortSignal.any([left, this.#closing.signal]);
    const until = performance.now() + timeoutMs;
    const wakeup = new Wakeup();
    const waiters = this.#waiters.get(agentId) ?? new Set<Wakeup>();
    this.#waiters.set(agentId, waiters.add(wakeup));
    try {
      return await this.#search(agentId, { until, signal, wakeup });
    } finally {
      waiters.delete(wakeup);
      if (waiters.size === 0) this.#waiters.delete(agentId);
    }
  }

  async #search(agentId: string, { until, signal, wakeup }: Search): Promise<Tunnel | undefined> {
    for (;;) {
      const held = this.#local.get(agentId) ?? this.#relays.get(agentId);
      const leftMs = until - performance.now();
      if (held !== undefined || signal.aborted || leftMs <= 0) return held;
      const holder = await this.#findHolder(agentId);
      const turn = new AbortController();
      const turnSignal = AbortSignal.any([signal, turn.signal]);
      const rung = wakeup.wait(leftMs, turnSignal);
      try {
        // News of a move end the wait for a relay that would lead to nobody.
        const relay =
          holder === undefined ? undefined : await Promise.race([this.#relays.open(agentId, holder), rung.then(() => undefined)]);
        if (relay !== undefined && !relay.isClosed) return this.#local.get(agentId) ?? relay;
        await Promise.race([rung, new Wakeup().wait(holder === undefined ? ASK_AGAIN_MS : RETRY_MS, turnSignal)]);
      } finally {
        turn.abort();
      }
    }
  }

  async #findHolder(agentId: string): Promise<Holder | undefined> {
    const { prisma, settings, log } = this.#parts;
    return await findHolder(prisma, agentId, settings.replica.id).catch((error: unknown) => {
      log.warn({ err: error, agent_id: agentId }, 'nobody could say which replica holds an agent');
      return undefined;
    });
  }

  #wake(agentId: string): void {
    for (const waiter of this.#waiters.get(agentId) ?? []) waiter.ring();
  }

  accompany(life: Promise<void>): void {
    this.#lives.add(life);
    const forget = (): void => void this.#lives.delete(life);
    life.then(forget, forget);
  }

  async closeAll(): Promise<void> {
    this.#closing.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await Promise.all([this.#local.closeAll(), this.#relays.closeAll()]);
    await Promise.allSettled(this.#lives);
  }
}

interface Search {
  readonly until: number;
  readonly signal: AbortSignal;
  readonly wakeup: Wakeup;
}
