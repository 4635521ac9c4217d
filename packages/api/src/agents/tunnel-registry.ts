import type { Tunnel } from '@berth/protocol/tunnel';

/** The agents' tunnels that this replica holds, by agent id. */
export interface TunnelRegistry {
  /** Takes over a tunnel that an agent dialled; an earlier one of the same agent is closed. */
  add(agentId: string, tunnel: Tunnel): void;
  /** The live tunnel of an agent, or undefined when this replica holds none. */
  get(agentId: string): Tunnel | undefined;
  closeAll(): Promise<void>;
}
