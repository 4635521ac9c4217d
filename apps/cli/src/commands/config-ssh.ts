import { homedir } from 'node:os';
import path from 'node:path';

import { WAIT_MODES } from '../connect/next-step.ts';
import { ownCheckout } from '../frame/checkout.ts';
import type { Cli } from '../frame/cli.ts';
import { choice, defineCommand, flag, text, texts } from '../frame/declare.ts';
import { EXIT, usageError } from '../frame/errors.ts';
import { allPages } from '../frame/paging.ts';
import { findBlock, HOST_PREFIX, parseSshOption, renderBlock, UnsafeConfigError, withBlock, withoutBlock } from '../ssh-config/block.ts';
import { diffOf } from '../ssh-config/diff.ts';
import { lastingPath, isPassing } from '../ssh-config/lasting-path.ts';
import { bytesOf, readConfig, textOf, writeConfig } from '../ssh-config/file.ts';

export const configSsh = defineCommand({
  name: 'config-ssh',
  summary: 'Add your workspaces as hosts to your SSH client and editor',
  description: `Writes a section into your SSH configuration that makes ${HOST_PREFIX}<workspace> a host for ssh, scp, sftp, rsync, git, VS Code, JetBrains Gateway and other programs that read that file. The rest of the file stays unchanged. New workspaces work without running this again.`,
  args: {},
  options: {
    dryRun: flag('--dry-run', 'Only show the changes'),
    remove: flag('--remove', 'Remove the section'),
    file: text('--ssh-config-file <file>', 'The file; ~/.ssh/config by default', { complete: 'file' }),
    sshOptions: texts(
      '--ssh-option <name=value>',
      'An additional option for these hosts, such as ForwardAgent=yes; may be given several times',
    ),
    each: flag('--each', 'Also list each of your workspaces by name, for editors that offer hosts to choose from'),
    wait: choice('--wait <when>', 'Whether to wait for the start scripts; auto does what the template says', WAIT_MODES),
    noAutostart: flag('--no-autostart', 'Do not start a stopped workspace'),
    program: text('--berth-program <path>', 'The program to call; the berth on your PATH when it is this one, else this one', {
      complete: 'file',
    }),
    yes: flag('-y, --yes', 'Write without asking'),
  },
  examples: [
    'berth config-ssh',
    'berth config-ssh --dry-run',
    'berth config-ssh --ssh-option ForwardAgent=yes --yes',
    'berth config-ssh --remove',
  ],
  prints: false,
  async run(cli, { options }) {
    const { io } = cli;
    const file = options.file === undefined ? path.join(io.env.HOME ?? homedir(), '.ssh', 'config') : path.resolve(io.cwd, options.file);
    const before = await readConfig(file);
    const after = await asUsageError(async () =>
      options.remove ? withoutBlock(before) : withBlock(before, bytesOf(await blockFor(cli, options))),
    );
    if (before === after) {
      cli.out.note(options.remove ? `${file} has no Berth section.` : `${file} is up to date.`);
      return;
    }
    cli.out.line(diffOf(textOf(before), textOf(after), file).trimEnd());
    if (options.dryRun) return;
    if (!options.yes && !(await cli.ask.confirm({ message: `Write ${file}?`, flag: '--yes', standard: true }))) return EXIT.interrupted;
    await writeConfig(file, after);
    cli.out.note(options.remove ? `Removed the Berth section from ${file}.` : nextSteps(findBlock(before) !== null));
  },
});

interface BlockChoices {
  readonly sshOptions: readonly string[];
  readonly each: boolean;
  readonly wait: (typeof WAIT_MODES)[number] | undefined;
  readonly noAutostart: boolean;
  readonly program: string | undefined;
}

async function blockFor(cli: Cli, { sshOptions, each, wait, noAutostart, program }: BlockChoices): Promise<string> {
  const { url } = cli.session();
  const sshArguments = ['--url', url, ...(wait === undefined ? [] : [`--wait=${wait}`]), ...(noAutostart ? ['--no-autostart'] : [])];
  return renderBlock({
    command: programWords(cli, program),
    sshArguments,
    hosts: each ? await ownWorkspaces(cli) : [],
    options: sshOptions.map(parseSshOption),
    platform: cli.io.platform,
  });
}

/** By whole paths, since editors start ssh without the shell's own paths; with the folder of the session when it is not the usual one. */
function programWords({ io: { env, cwd, platform }, out }: Cli, program: string | undefined): string[] {
  const own = env.BERTH_CONFIG_DIR ?? '';
  const folder = own === '' || platform === 'win32' ? [] : ['/usr/bin/env', `BERTH_CONFIG_DIR=${path.resolve(cwd, own)}`];
  if (program !== undefined) return [...folder, path.resolve(cwd, program)];
  const script = lastingPath('berth', process.argv[1] ?? '', env);
  if (isPassing(script, ownCheckout())) {
    out.note(
      `warning: your SSH configuration will call ${script}, and stops working when that is moved or deleted. Install berth from its tarball and run this again, or name a program with --berth-program.`,
    );
  }
  return [...folder, lastingPath('node', process.execPath, env), script];
}

async function ownWorkspaces(cli: Cli): Promise<string[]> {
  const { client } = cli.session();
  const { rows } = await allPages(async (page) => {
    const { workspaces, count } = await client.workspaces.list.query({ q: 'owner:me', ...page });
    return { rows: workspaces, total: count };
  });
  return rows.map(({ name }) => name).toSorted();
}

async function asUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof UnsafeConfigError ? usageError(cause.message, { cause }) : cause;
  }
}

function nextSteps(wasThere: boolean): string {
  return wasThere ? 'Updated the Berth section.' : `Your workspaces are now SSH hosts. Try: ssh ${HOST_PREFIX}<workspace>`;
}
