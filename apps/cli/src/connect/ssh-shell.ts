import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { ReadStream } from 'node:tty';

import type { Client, ClientChannel, PseudoTtyOptions } from 'ssh2';

import type { Io } from '../frame/io.ts';
import { Escapes } from './escapes.ts';
import { TerminalModes } from './terminal-modes.ts';

export interface ShellOptions {
  /** Empty for a shell. */
  readonly command: string;
  readonly hasTerminal: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** How ssh says that the connection broke, as opposed to what ran. */
export const CONNECTION_EXIT = 255;
/** After Ctrl-C a command has so long to end by itself. */
const INTERRUPT_MS = 3000;

/** Runs a shell or a command with our terminal and answers its exit code. The terminal is as before afterwards, however it ends. */
export async function runShell(client: Client, io: Io, options: ShellOptions): Promise<number> {
  const { promise: gone, resolve: onGone } = Promise.withResolvers<void>();
  client.once('close', () => onGone());
  const { channel, ended } = await openChannel(client, io, options);
  const terminal = options.hasTerminal ? takeTerminal(channel, client, io) : undefined;
  if (terminal === undefined) io.stdin.pipe(channel);
  channel.on('data', (chunk: Buffer) => {
    terminal?.modes.see(chunk);
    if (!io.stdout.write(chunk)) {
      channel.pause();
      io.stdout.once('drain', () => channel.resume());
    }
  });
  channel.stderr.pipe(io.stderr, { end: false });
  const onAbort = (): void => {
    channel.signal('INT');
    setTimeout(() => client.end(), INTERRUPT_MS).unref();
  };
  io.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([ended, gone.then(() => CONNECTION_EXIT)]);
  } finally {
    io.signal.removeEventListener('abort', onAbort);
    terminal?.giveBack();
    io.stdin.unpipe(channel);
    io.stdin.pause();
    if ('unref' in io.stdin && typeof io.stdin.unref === 'function') io.stdin.unref();
  }
}

interface OpenChannel {
  readonly channel: ClientChannel;
  readonly ended: Promise<number>;
}

function openChannel(client: Client, { env, stdout }: Io, { command, hasTerminal, environment }: ShellOptions): Promise<OpenChannel> {
  return new Promise((resolve, reject) => {
    const taken = (error: Error | undefined, channel: ClientChannel): void => {
      // Its end may stand in the same packet, so whoever waits for it listens at once.
      if (error === undefined) resolve({ channel, ended: outcomeOf(channel) });
      else reject(error);
    };
    const pty: PseudoTtyOptions | false = hasTerminal && { term: env.TERM ?? 'xterm-256color', ...sizeOf(stdout), width: 0, height: 0 };
    const options = { env: { ...localeOf(env), ...environment } };
    if (command === '') client.shell(pty, options, taken);
    else client.exec(command, hasTerminal && pty !== false ? { ...options, pty } : options, taken);
  });
}

/** What OpenSSH sends by default on most systems: how text is written here. */
function localeOf(env: Io['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => /^(LANG|LC_[A-Z]+|COLORTERM)$/.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

function sizeOf(stdout: Io['stdout']): { rows: number; cols: number } {
  const rows = 'rows' in stdout && typeof stdout.rows === 'number' ? stdout.rows : 24;
  return { rows, cols: stdout.columns ?? 80 };
}

/** The exit code once all output has come: that of the command, or 128 and the number of the signal that ended it, as in a shell. */
function outcomeOf(channel: ClientChannel): Promise<number> {
  let code = CONNECTION_EXIT;
  channel.on('exit', (status: number | null, signal?: string) => {
    const number = Object.entries(constants.signals).find(([name]) => name === signal || name === `SIG${signal}`)?.[1];
    code = status ?? (number === undefined ? CONNECTION_EXIT : 128 + number);
  });
  return new Promise((resolve) => channel.once('close', () => resolve(code)));
}

/** Hands the terminal to the channel, keys and size. */
function takeTerminal(channel: ClientChannel, client: Client, { stdin, stdout }: Io): { readonly modes: TerminalModes; giveBack(): void } {
  const modes = new TerminalModes();
  const escapes = new Escapes();
  const onKeys = (input: Buffer): void => {
    const { send, isOut } = escapes.read(input);
    if (send.length > 0 && !channel.write(send)) {
      stdin.pause();
      channel.once('drain', () => stdin.resume());
    }
    if (isOut) client.destroy();
  };
  const onResize = (): void => {
    const { rows, cols } = sizeOf(stdout);
    channel.setWindow(rows, cols, 0, 0);
  };
  const isRaw = stdin instanceof ReadStream;
  if (isRaw) {
    stdin.setRawMode(true);
    // Node leaves line feeds to be translated, which moves the cursor of full-screen programs; it restores this too.
    spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }
  stdin.on('data', onKeys);
  stdout.on('resize', onResize);
  return {
    modes,
    giveBack: () => {
      stdin.off('data', onKeys);
      stdout.off('resize', onResize);
      if (isRaw) stdin.setRawMode(false);
      const undo = modes.undo();
      if (undo !== '') stdout.write(undo);
    },
  };
}
