import type { Duplex } from 'node:stream';

import type { ResumableState } from '@berth/protocol/resumable';
import type { Client } from 'ssh2';

import { parseForward, placeOf } from '../connect/forward-specs.ts';
import { lateOptions } from '../connect/late-options.ts';
import { READY_OPTIONS, readyOptions } from '../connect/options.ts';
import { readyAgent } from '../connect/ready-agent.ts';
import type { ReadyAgent } from '../connect/ready-agent.ts';
import type { Cli } from '../frame/cli.ts';
import { defineCommand, flag, optional, rest, text, texts } from '../frame/declare.ts';
import { CliError, EXIT, interrupted, usageError } from '../frame/errors.ts';
import { isInteractive } from '../frame/io.ts';
import { plain } from '../frame/plain-text.ts';
import { AGENT_FORM } from '../frame/workspace-ref.ts';
import { workspaceOfHost } from '../ssh-config/host.ts';

/** Shorter breaks are nobody's business. */
const BREAK_SHOWN_MS = 3000;
const GOODBYE_MS = 1000;

export const ssh = defineCommand({
  name: 'ssh',
  summary: 'Open a shell in a workspace, or run a command there',
  description:
    'Opens a shell in a workspace, or runs a command there and exits with its exit code; 255 means that the connection was lost. A stopped workspace is started first. The connection survives a server restart. Type ~. at the beginning of a line to disconnect.',
  args: { workspace: optional(AGENT_FORM, { complete: 'workspace' }), command: rest('The command to run; a shell unless given') },
  options: {
    forwardAgent: flag('-A, --forward-agent', 'Forward your SSH key agent to the workspace'),
    local: texts(
      '-L, --local-forward <spec>',
      '[address:]port:host:hostport: forward a port here to an address that the workspace can reach',
    ),
    remote: texts(
      '-R, --remote-forward <spec>',
      '[address:]port:host:hostport: forward a port of the workspace to an address that this machine can reach',
    ),
    tty: flag('-t, --tty', 'Allocate a terminal for the command'),
    noCommand: flag('-N, --no-command', 'Run no command, only forward ports'),
    env: texts('-e, --env <name=value>', 'Set a variable for the shell or the command'),
    ...READY_OPTIONS,
    stdio: flag('--stdio', 'Only transfer bytes, as the ProxyCommand of another SSH client'),
    sshHost: text('--ssh-host <host>', 'Instead of a workspace: a host such as berth.harbour, as berth config-ssh writes it'),
  },
  examples: [
    'berth ssh harbour',
    'berth ssh ada/harbour.main -- make test',
    'berth ssh harbour -L 5432:localhost:5432 -N',
    'berth ssh harbour -A -- git fetch',
  ],
  prints: false,
  passesThrough: true,
  async run(cli, { args, options: early }) {
    const { values: late, command } = lateOptions(args.command);
    const options = {
      ...early,
      forwardAgent: early.forwardAgent || late['forward-agent'] === true,
      local: [...early.local, ...(late['local-forward'] ?? [])],
      remote: [...early.remote, ...(late['remote-forward'] ?? [])],
      tty: early.tty || late.tty === true,
      noCommand: early.noCommand || late['no-command'] === true,
      env: [...early.env, ...(late.env ?? [])],
      yes: early.yes || late.yes === true,
      noAutostart: early.noAutostart || late['no-autostart'] === true,
      stdio: early.stdio || late.stdio === true,
    };
    const given = options.sshHost === undefined ? args.workspace : workspaceOfHost(options.sshHost);
    if (given === undefined) throw usageError('Missing <workspace>.', { next: `Write it as ${AGENT_FORM}` });
    const forwards = { local: options.local.map(parseForward), remote: options.remote.map(parseForward) };
    const environment = Object.fromEntries(options.env.map(variableOf));
    // All of it is needed in a moment, so it is loaded while the server is asked.
    const modules = Promise.all([
      import('../connect/ssh-stream.ts'),
      ...(options.stdio ? [] : [import('../connect/ssh-client.ts'), import('../connect/ssh-shell.ts')]),
    ]);
    const [ready, [{ sshStream }]] = await Promise.all([readyAgent(cli, readyOptions(given, options)), modules]);
    const stream = sshStream(cli.session(), ready, { onState: breakNotice(cli) });
    const onAbort = (): void => {
      stream.destroy();
    };
    try {
      if (options.stdio) {
        cli.signal.addEventListener('abort', onAbort, { once: true });
        return await carryBytes(cli, stream, ready);
      }
      return await speak(cli, {
        stream,
        ready,
        forwards,
        environment,
        options,
        command,
      });
    } finally {
      cli.signal.removeEventListener('abort', onAbort);
      stream.destroy();
    }
  },
});

function variableOf(given: string): [string, string] {
  const at = given.indexOf('=');
  if (at < 1) throw usageError(`--env: "${given}" must have the form NAME=value.`);
  return [given.slice(0, at), given.slice(at + 1)];
}

/** Says that a connection is broken, but only when it is not back in a moment. */
function breakNotice({ io }: Cli): (state: ResumableState) => void {
  let timer: NodeJS.Timeout | undefined;
  let isSaid = false;
  const say = (sentence: string): void => void io.stderr.write(`\r\n[berth] ${sentence}\r\n`);
  return (state) => {
    if (state.kind === 'open') {
      clearTimeout(timer);
      timer = undefined;
      if (isSaid) say('Reconnected.');
      isSaid = false;
    } else if (state.error !== undefined) {
      timer ??= setTimeout(() => {
        isSaid = true;
        say('Connection lost. Reconnecting…');
      }, BREAK_SHOWN_MS).unref();
    }
  };
}

/** Bytes between standard input and output and the workspace, and nothing else. */
async function carryBytes(cli: Cli, stream: Duplex, ready: ReadyAgent): Promise<number> {
  const { io } = cli;
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  io.stdin.pipe(stream);
  stream.pipe(io.stdout, { end: false });
  await closed;
  io.stdin.unpipe(stream);
  io.stdin.destroy();
  if (stream.errored !== null && stream.errored !== undefined) throw await brokenOff(cli, ready, stream.errored);
  return EXIT.ok;
}

interface Speech {
  readonly stream: Duplex;
  readonly ready: ReadyAgent;
  readonly forwards: {
    readonly local: readonly ReturnType<typeof parseForward>[];
    readonly remote: readonly ReturnType<typeof parseForward>[];
  };
  readonly environment: Readonly<Record<string, string>>;
  readonly options: { readonly forwardAgent: boolean; readonly tty: boolean; readonly noCommand: boolean };
  readonly command: readonly string[];
}

async function speak(cli: Cli, { stream, ready, forwards, environment, options, command }: Speech): Promise<number> {
  const [{ connectSsh }, { runShell, CONNECTION_EXIT }] = await Promise.all([
    import('../connect/ssh-client.ts'),
    import('../connect/ssh-shell.ts'),
  ]);
  const agentSocket = cli.io.env.SSH_AUTH_SOCK ?? '';
  if (options.forwardAgent && agentSocket === '') throw usageError('There is no SSH key agent to forward: SSH_AUTH_SOCK is not set.');
  const client = await connectSsh(stream, {
    username: ready.workspace.owner_name,
    ...(options.forwardAgent ? { agentSocket } : {}),
  }).catch(async (error: unknown) => {
    throw cli.signal.aborted ? interrupted() : await brokenOff(cli, ready, stream.errored ?? error);
  });
  const servers: { close(): void }[] = [];
  try {
    await openForwards(cli, { client, forwards, servers });
    if (options.noCommand) return await untilEnd(cli, { client, stream, ready });
    const hasTerminal = options.tty || (command.length === 0 && isInteractive(cli.io));
    const code = await runShell(client, cli.io, { command: command.join(' '), hasTerminal, environment });
    if (code === CONNECTION_EXIT && stream.errored !== null && stream.errored !== undefined) {
      cli.out.note((await brokenOff(cli, ready, stream.errored)).message);
    }
    return code;
  } finally {
    for (const server of servers) server.close();
    if (!stream.destroyed) await goodbye(client);
  }
}

/** So that the other end need not wait for us to come back. */
async function goodbye(client: Client): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GOODBYE_MS);
    client.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.end();
  });
}

async function openForwards(
  cli: Cli,
  { client, forwards, servers }: Pick<Speech, 'forwards'> & { readonly client: Client; readonly servers: { close(): void }[] },
): Promise<void> {
  if (forwards.local.length + forwards.remote.length === 0) return;
  const { forwardIn, forwardOut } = await import('../connect/ssh-forwards.ts');
  const problem = (sentence: string): void => cli.out.note(plain(sentence));
  for (const spec of forwards.local) {
    const { server, port } = await forwardOut(client, spec, problem);
    servers.push(server);
    if (spec.listenPort === 0) cli.out.note(`${placeOf(spec.listenHost, port)} forwards to ${placeOf(spec.host, spec.port)}`);
  }
  for (const spec of forwards.remote) {
    const port = await forwardIn(client, spec);
    if (spec.listenPort === 0) {
      cli.out.note(`${placeOf(spec.listenHost, port)} in the workspace forwards to ${placeOf(spec.host, spec.port)}`);
    }
  }
}

async function untilEnd(
  cli: Cli,
  { client, stream, ready }: Pick<Speech, 'stream' | 'ready'> & { readonly client: Client },
): Promise<number> {
  await new Promise<void>((resolve) => {
    client.once('close', () => resolve());
    cli.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (cli.signal.aborted) return EXIT.interrupted;
  throw await brokenOff(cli, ready, stream.errored);
}

async function brokenOff(cli: Cli, ready: ReadyAgent, error: unknown): Promise<CliError> {
  if (error instanceof CliError) return error;
  const reason = error instanceof Error && error.message !== '' ? error : new Error('The connection has ended.');
  const { whyEnded } = await import('../connect/ssh-stream.ts');
  return new CliError(EXIT.unavailable, (await whyEnded(cli.session(), ready, reason)).message, { cause: error });
}
