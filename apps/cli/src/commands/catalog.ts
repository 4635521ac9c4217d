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
        summary: 'Print the logs of a workspace: its build and its agents',
        load: async () => (await import('./logs.ts')).logs,
      },
      {
        name: 'schedule',
        summary: 'Show or change when a workspace starts and stops automatically',
        load: async () => (await import('./schedule/index.ts')).schedule,
      },
      {
        name: 'rename',
        summary: 'Rename a workspace, where the server allows it',
        load: async () => (await import('./rename.ts')).rename,
      },
      {
        name: 'favorite',
        summary: 'Add a workspace to your favorites, which are listed first',
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
        summary: 'Sign out, and delete the stored session',
        load: async () => (await import('./logout.ts')).logout,
      },
      {
        name: 'whoami',
        summary: 'Show the signed-in user and the server',
        load: async () => (await import('./whoami.ts')).whoami,
      },
      {
        name: 'tokens',
        summary: 'Manage your API tokens',
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
        summary: 'Add your workspaces as hosts to your SSH client and editor',
        load: async () => (await import('./config-ssh.ts')).configSsh,
      },
      {
        name: 'port-forward',
        summary: 'Forward ports of this machine to a workspace',
        load: async () => (await import('./port-forward.ts')).portForward,
      },
      {
        name: 'ping',
        summary: 'Measure the latency to a workspace',
        load: async () => (await import('./ping.ts')).ping,
      },
      {
        name: 'open',
        summary: 'Open a workspace, one of its apps, or your editor',
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
        summary: 'Manage templates, from which workspaces are created',
        load: async () => (await import('./templates/index.ts')).templates,
      },
      {
        name: 'users',
        summary: 'Manage users',
        load: async () => (await import('./users/index.ts')).users,
      },
      {
        name: 'organizations',
        aliases: ['orgs'],
        summary: 'Manage organizations and their members',
        load: async () => (await import('./organizations/index.ts')).organizations,
      },
      {
        name: 'groups',
        summary: 'Manage groups, whose members share permissions and a quota',
        load: async () => (await import('./groups/index.ts')).groups,
      },
      {
        name: 'audit',
        summary: 'Search, export and verify the audit log',
        load: async () => (await import('./audit/index.ts')).audit,
      },
    ],
  },
  {
    title: 'Other',
    entries: [
      {
        name: 'server',
        summary: 'Run the server from a checkout',
        load: async () => (await import('./server.ts')).server,
      },
      {
        name: 'provisioner',
        summary: 'Run a provisioner from a checkout',
        load: async () => (await import('./provisioner.ts')).provisioner,
      },
      {
        name: 'completion',
        summary: 'Print a shell completion script',
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
