import type { Tunnel } from '@berth/protocol/tunnel';

/** The agents' tunnels that this replica holds, by agent id. */
export interface TunnelRegistry {
  /** Takes over a tunnel that an agent dialled; an earlier one of the same agent is closed. */
  add(agentId: string, tunnel: Tunnel): void;
  /** The live tunnel of an agent, or undefined when this replica holds none. */
  get(agentId: string): Tunnel | undefined;
  /**
   * The agent's tunnel, as soon as there is one; undefined when `timeoutMs` passed or `signal` aborted first. Waits without
   * polling, so a terminal opens the moment its agent is back.
   */
  wait(agentId: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<Tunnel | undefined>;
  /** Closes every tunnel and wakes everyone who waits; resolves when all are gone. */
  closeAll(): Promise<void>;
}

type Waiter = (tunnel: Tunnel | undefined) => void;

class InMemoryTunnelRegistry implements TunnelRegistry {
  readonly #tunnels = new Map<string, Tunnel>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  #isClosed = false;

  add(agentId: string, tunnel: Tunnel): void {
    if (this.#isClosed) return tunnel.close();
    const earlier = this.#tunnels.get(agentId);
    this.#tunnels.set(agentId, tunnel);
    if (earlier !== tunnel) earlier?.close();
    void tunnel.closed.then(() => {
      if (this.#tunnels.get(agentId) === tunnel) this.#tunnels.delete(agentId);
    });
    for (const wake of this.#waiters.get(agentId) ?? []) wake(tunnel);
  }

  get(agentId: string): Tunnel | undefined {
    const tunnel = this.#tunnels.get(agentId);
    return tunnel === undefined || tunnel.isClosed ? undefined : tunnel;
  }

  async wait(
    agentId: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Tunnel | undefined> {
    const present = this.get(agentId);
    if (present !== undefined || this.#isClosed || signal?.aborted === true) return present;
    const { promise, resolve } = Promise.withResolvers<Tunnel | undefined>();
    const giveUp = (): void => resolve(undefined);
    const timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    const waiters = this.#waiters.get(agentId) ?? new Set<Waiter>();
    this.#waiters.set(agentId, waiters.add(resolve));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      waiters.delete(resolve);
      if (waiters.size === 0) this.#waiters.delete(agentId);
    }
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    for (const waiters of this.#waiters.values()) for (const wake of waiters) wake(undefined);
    const open = [...this.#tunnels.values()];
    for (const tunnel of open) tunnel.close();
    await Promise.all(open.map((tunnel) => tunnel.closed));
  }
}

/** The registry of one server process. Which replica holds an agent's tunnel stands on the agent's row. */
export function createTunnelRegistry(): TunnelRegistry {
  return new InMemoryTunnelRegistry();
}
