import type { ServerChannel } from 'ssh2';

import { written } from './join-channel.ts';

/** A program that runs for a session of a client. */
export interface RunningProcess {
  /** Sends a signal to the process and its group. */
  signal(signal: NodeJS.Signals): void;
  resize(size: TerminalShape): void;
  /** The client has left: nobody reads or writes any more. */
  hangUp(): void;
}

export interface TerminalShape {
  readonly cols: number;
  readonly rows: number;
}

export interface Command {
  readonly channel: ServerChannel;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onEnd: () => void;
}

/** How a program ended; `signal` without `SIG`. */
export type Exit = { readonly code: number } | { readonly signal: string };

/** The exit code of a program that could not be started, as OpenSSH has it for its own failures. */
const FAILURE_CODE = 255;

/** Says how the program ended once the client has room for all its output, and closes the channel. */
export async function finish(channel: ServerChannel, exit: Exit): Promise<void> {
  await Promise.all([written(channel), written(channel.stderr)]);
  if ('code' in exit) channel.exit(exit.code);
  else channel.exit(exit.signal, false, '');
  channel.end();
}

/** Tells the client why its program did not start. */
export function failToStart(channel: ServerChannel, error: unknown): void {
  channel.stderr.write(`The program could not be started: ${error instanceof Error ? error.message : String(error)}\r\n`);
  void finish(channel, { code: FAILURE_CODE });
}
