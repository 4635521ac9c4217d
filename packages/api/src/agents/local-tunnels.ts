import type { Tunnel } from '@berth/protocol/tunnel';

/** The tunnels that agents dialled to this very process, by agent id. */
export class LocalTunnels {
  readonly #tunnels = new Map<string, Tunnel>();
  #isClosed = false;

  /** Takes over a tunnel; an earlier one of the same agent is closed. */
  add(agentId: string, tunnel: Tunnel): void {
    if (this.#isClosed) return tunnel.close();
    const earlier = this.#tunnels.get(agentId);
    this.#tunnels.set(agentId, tunnel);
    if (earlier !== tunnel) earlier?.close();
    void tunnel.closed.then(() => {
      if (this.#tunnels.get(agentId) === tunnel) this.#tunnels.delete(agentId);
    });
  }

  get(agentId: string): Tunnel | undefined {
    const tunnel = this.#tunnels.get(agentId);
    return tunnel === undefined || tunnel.isClosed ? undefined : tunnel;
  }

  all(): readonly (readonly [string, Tunnel])[] {
    return [...this.#tunnels].filter(([, tunnel]) => !tunnel.isClosed);
  }

  /** Closes every tunnel and takes no more; resolves when all are gone. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#tunnels.values()];
    for (const tunnel of open) tunnel.close();
    await Promise.all(open.map((tunnel) => tunnel.closed));
  }
}
