import type { WorkspaceAgentListeningPorts } from '@berth/api/contract/agents';
import type { PortShare } from '@berth/api/contract/port-shares';
import type { SharingLevel } from '@berth/domain';
import { SHARING_LEVELS } from '@berth/domain';

/** A port as it is shown: what listens there, and who opens it. */
export interface ShownPort {
  readonly port: number;
  /** What listens there; empty when its name is not known. */
  readonly process: string;
  readonly isListening: boolean;
  readonly share: PortShare | undefined;
}

interface Known {
  readonly listening: WorkspaceAgentListeningPorts['ports'];
  readonly shares: readonly PortShare[];
  /** Ports that somebody asked for by their number. */
  readonly asked: readonly number[];
}

/** Every port that there is something to say about, by number: one that listens on two addresses, or is shared too, comes once. */
export function shownPorts({ listening, shares, asked }: Known): ShownPort[] {
  const numbers = new Set([...listening, ...shares].map(({ port }) => port).concat(asked));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((port) => {
      const found = listening.filter((entry) => entry.port === port);
      return {
        port,
        process: found.find(({ process_name: name }) => name !== '')?.process_name ?? '',
        isListening: found.length > 0,
        share: shares.find((share) => share.port === port),
      };
    });
}

/** The levels up to the most that a template allows. */
export function levelsUpTo(max: SharingLevel): readonly SharingLevel[] {
  return SHARING_LEVELS.slice(0, SHARING_LEVELS.indexOf(max) + 1);
}
