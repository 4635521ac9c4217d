import type { Group, Leaf } from '../frame/declare.ts';

/** A command by name, so that help is there without loading what it does. */
export interface CatalogEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  load(): Promise<Leaf | Group>;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly CatalogEntry[];
}

/** What the shell's completion calls; no command for people. */
export const COMPLETE = '__complete';

/** Every command, in the order of the help. A test holds names, aliases and summaries equal to those that the modules declare. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Account',
    entries: [
      {
        name: 'whoami',
        summary: 'Show who is signed in, and where',
        load: async () => (await import('./whoami.ts')).whoami,
      },
    ],
  },
  {
    title: 'Connections',
    entries: [
      {
        name: 'ssh',
        summary: 'Open a shell in a workspace, or run a command there',
        load: async () => (await import('./ssh.ts')).ssh,
      },
      {
        name: 'config-ssh',
        summary: 'Make every workspace a host of your SSH client and your editor',
        load: async () => (await import('./config-ssh.ts')).configSsh,
      },
      {
        name: 'port-forward',
        summary: 'Reach ports of a workspace as ports of this machine',
        load: async () => (await import('./port-forward.ts')).portForward,
      },
      {
        name: 'ping',
        summary: 'Measure the way to a workspace',
        load: async () => (await import('./ping.ts')).ping,
      },
    ],
  },
  {
    title: 'This program',
    entries: [
      {
        name: 'version',
        summary: 'Print the versions of this program and of the server',
        load: async () => (await import('./version.ts')).version,
      },
    ],
  },
];
