import type { WorkspaceAgentListeningPorts, WorkspaceApp } from '@berth/api/contract/agents';
import type { PortShare } from '@berth/api/contract/port-shares';
import type { SharingLevel } from '@berth/domain';
import { SHARING_LEVELS } from '@berth/domain';

/** A port as it is shown: what listens there, and who opens it. */
export interface ShownPort {
  readonly port: number;
  /** What listens there; empty when its name is not known. */
  readonly process: string;
  readonly isListening: boolean;
  /** The names of the apps that this port is declared for. */
  readonly apps: readonly string[];
  readonly share: PortShare | undefined;
}

interface Known {
  readonly listening: WorkspaceAgentListeningPorts;
  readonly apps: readonly Pick<WorkspaceApp, 'slug' | 'display_name'>[];
  readonly shares: readonly PortShare[];
  /** Ports that somebody asked for by their number. */
  readonly asked: readonly number[];
}

/** Every port that there is something to say about, by number: one that listens on two addresses, or is shared too, comes once. */
export function shownPorts({ listening: { ports, hidden }, apps, shares, asked }: Known): ShownPort[] {
  const ofApps = hidden.filter(({ reason }) => reason === 'app');
  const listening = [...ports, ...hidden];
  const numbers = new Set([...ports, ...ofApps, ...shares].map(({ port }) => port).concat(asked));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((port) => {
      const found = listening.filter((entry) => entry.port === port);
      return {
        port,
        process: found.find(({ process_name: name }) => name !== '')?.process_name ?? '',
        isListening: found.length > 0,
        apps: appNames(
          ofApps.filter((entry) => entry.port === port).flatMap(({ app_slugs: slugs }) => slugs),
          apps,
        ),
        share: shares.find((share) => share.port === port),
      };
    });
}

/** "22 (sshd), 5432": what listens on ports of well-known services, which are not offered. */
export function wellKnownPorts({ hidden }: WorkspaceAgentListeningPorts): string {
  const names = new Map<number, string>();
  for (const { reason, port, process_name: name } of hidden) {
    if (reason === 'well_known') names.set(port, names.get(port) || name);
  }
  return [...names].map(([port, name]) => (name === '' ? String(port) : `${port} (${name})`)).join(', ');
}

function appNames(slugs: readonly string[], apps: Known['apps']): readonly string[] {
  return [...new Set(slugs)].map((slug) => apps.find((app) => app.slug === slug)?.display_name || slug);
}

/** The levels up to the most that a template allows. */
export function levelsUpTo(max: SharingLevel): readonly SharingLevel[] {
  return SHARING_LEVELS.slice(0, SHARING_LEVELS.indexOf(max) + 1);
}
