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
    title: 'Workspaces',
    entries: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List workspaces',
        load: async () => (await import('./list.ts')).list,
      },
      {
        name: 'show',
        summary: 'Show a workspace: its state, agents, apps and resources',
        load: async () => (await import('./show.ts')).show,
      },
      {
        name: 'create',
        summary: 'Create a workspace',
        load: async () => (await import('./create.ts')).create,
      },
      {
        name: 'start',
        summary: 'Start a workspace',
        load: async () => (await import('./start.ts')).start,
      },
      {
        name: 'stop',
        summary: 'Stop a workspace',
        load: async () => (await import('./stop.ts')).stop,
      },
      {
        name: 'restart',
        summary: 'Stop a workspace and start it again',
        load: async () => (await import('./restart.ts')).restart,
      },
      {
        name: 'update',
        summary: 'Start a workspace on the newest version of its template',
        load: async () => (await import('./update.ts')).update,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a workspace and everything in it',
        load: async () => (await import('./delete.ts')).remove,
      },
      {
        name: 'cancel',
        summary: 'Cancel the build of a workspace that is in progress',
        load: async () => (await import('./cancel.ts')).cancel,
      },
      {
        name: 'logs',
        summary: 'Print the logs of a workspace: of its build and of its agents',
        load: async () => (await import('./logs.ts')).logs,
      },
      {
        name: 'schedule',
        summary: 'When a workspace starts and stops automatically',
        load: async () => (await import('./schedule/index.ts')).schedule,
      },
      {
        name: 'rename',
        summary: 'Rename a workspace, where the server allows it',
        load: async () => (await import('./rename.ts')).rename,
      },
      {
        name: 'favorite',
        summary: 'Put a workspace among your favorites, which are listed first',
        load: async () => (await import('./favorite.ts')).favorite,
      },
    ],
  },
  {
    title: 'Account',
    entries: [
      {
        name: 'login',
        summary: 'Sign in to a server',
        load: async () => (await import('./login.ts')).login,
      },
      {
        name: 'logout',
        summary: 'End the session and forget it',
        load: async () => (await import('./logout.ts')).logout,
      },
      {
        name: 'whoami',
        summary: 'Show who is signed in, and where',
        load: async () => (await import('./whoami.ts')).whoami,
      },
      {
        name: 'tokens',
        summary: 'Tokens with which programs act as you',
        load: async () => (await import('./tokens/index.ts')).tokens,
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
      {
        name: 'open',
        summary: 'Open a workspace, an app of it or your editor on it',
        load: async () => (await import('./open.ts')).open,
      },
    ],
  },
  {
    title: 'Administration',
    entries: [
      {
        name: 'templates',
        aliases: ['template'],
        summary: 'What workspaces are made from',
        load: async () => (await import('./templates/index.ts')).templates,
      },
      {
        name: 'users',
        summary: 'The people of the server',
        load: async () => (await import('./users/index.ts')).users,
      },
      {
        name: 'organizations',
        aliases: ['orgs'],
        summary: 'Organizations and who is in them',
        load: async () => (await import('./organizations/index.ts')).organizations,
      },
      {
        name: 'groups',
        summary: 'Groups of people, who share rights and a quota',
        load: async () => (await import('./groups/index.ts')).groups,
      },
      {
        name: 'audit',
        summary: 'Who did what, and when',
        load: async () => (await import('./audit/index.ts')).audit,
      },
    ],
  },
  {
    title: 'This program',
    entries: [
      {
        name: 'server',
        summary: 'Run the server of this checkout',
        load: async () => (await import('./server.ts')).server,
      },
      {
        name: 'provisioner',
        summary: 'Run a provisioner of this checkout, which builds workspaces for a server',
        load: async () => (await import('./provisioner.ts')).provisioner,
      },
      {
        name: 'completion',
        summary: 'Print what makes a shell complete commands, options and names',
        load: async () => (await import('./completion.ts')).completion,
      },
      {
        name: 'version',
        summary: 'Print the versions of this program and of the server',
        load: async () => (await import('./version.ts')).version,
      },
    ],
  },
];
