import { Socket } from 'node:net';

import type { IPty } from '@lydell/node-pty';
import type { TerminalModes } from 'ssh2';

import { failToStart, finish } from './process.ts';
import type { Command, RunningProcess, TerminalShape } from './process.ts';
import { hangUp, signalGroup, signalNumbered } from './signals.ts';
import { sttyArguments } from './terminal-modes.ts';

const SIDE_MAX = 10_000;
/** How often to look whether the program has ended while its terminal is not read. */
const LOOK_MS = 50;

export interface Terminal extends TerminalShape {
  readonly term: string;
  readonly modes: TerminalModes;
}

/** Runs a program in a terminal of the client's size, kind and modes. */
export async function startInTerminal(command: Command, terminal: Terminal): Promise<RunningProcess | undefined> {
  const { channel, file, args, cwd, env, onEnd } = command;
  let pty: IPty;
  try {
    const { spawn } = await import('@lydell/node-pty');
    const modes = sttyArguments(terminal.modes);
    pty = spawn('/bin/sh', ['-c', inTerminal(modes.length), 'sh', ...modes, file, ...args], {
      name: terminal.term || 'xterm',
      ...bounded(terminal),
      cwd,
      env: { ...env, TERM: terminal.term || 'xterm' },
      encoding: null,
    });
  } catch (error) {
    onEnd();
    failToStart(channel, error);
    return undefined;
  }
  const socket = socketOf(pty);
  let hasEnded = false;
  let looking: NodeJS.Timeout | undefined;

  pty.onData((data: string | Buffer) => {
    // Output that its user does not read stops the program, but not what is left when it has ended: the terminal is closed soon after.
    if (channel.write(data) || looking !== undefined || isGone(pty.pid)) return;
    pty.pause();
    looking = setInterval(() => {
      if (isGone(pty.pid)) read();
    }, LOOK_MS);
  });
  function read(): void {
    clearInterval(looking);
    looking = undefined;
    pty.resume();
  }
  channel.on('drain', () => {
    if (looking !== undefined) read();
  });
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true;
    clearInterval(looking);
    onEnd();
    const name = signal === undefined || signal === 0 ? undefined : signalNumbered(signal);
    void finish(channel, name === undefined ? { code: exitCode } : { signal: name });
  });
  // The end of a user's input is not the end of what the terminal's program may read.
  if (socket === undefined) channel.on('data', (typed: Buffer) => pty.write(typed.toString()));
  else channel.pipe(socket, { end: false });

  return {
    signal: (name) => {
      if (!hasEnded) signalGroup(pty.pid, name);
    },
    resize: (shape) => {
      const { cols, rows } = bounded(shape);
      try {
        if (!hasEnded) pty.resize(cols, rows);
      } catch {
        // The program ended a moment ago.
      }
    },
    hangUp: () => {
      clearInterval(looking);
      if (hasEnded) return;
      // Closing the terminal tells the programs in its foreground, too.
      socket?.destroy();
      hangUp(pty.pid, () => hasEnded);
    },
  };
}

/** `sh` sets the modes and the name of the terminal, and becomes the program. */
function inTerminal(modesCount: number): string {
  const modes = Array.from({ length: modesCount }, (_, index) => `"\${${index + 1}}"`).join(' ');
  const set = modesCount === 0 ? '' : `stty ${modes} 2>/dev/null; shift ${modesCount}; `;
  return `${set}SSH_TTY=$(tty); export SSH_TTY; exec "$@"`;
}

/** The stream behind the terminal, which knows back-pressure; `IPty` itself does not. */
function socketOf(pty: IPty): Socket | undefined {
  return '_socket' in pty && pty._socket instanceof Socket ? pty._socket : undefined;
}

/** Clients without a terminal of their own say zero. */
function bounded({ cols, rows }: TerminalShape): TerminalShape {
  const side = (value: number, standard: number): number => (value < 1 ? standard : Math.min(value, SIDE_MAX));
  return { cols: side(cols, 80), rows: side(rows, 24) };
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
