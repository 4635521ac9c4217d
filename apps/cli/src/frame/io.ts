import type { Readable, Writable } from 'node:stream';

/** What a command has of the machine it runs on; tests bring their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Data only: what a pipe should see. */
  readonly stdout: Terminal;
  /** Everything said to a person: progress, questions, errors. */
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Aborted at Ctrl-C. */
  readonly signal: AbortSignal;
}

export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Columns of a terminal; undefined for what is none, or does not know. */
export function widthOfTerminal({ isTTY = false, columns = 0 }: Terminal): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

/** Whether somebody sits there to answer questions. */
export function isInteractive({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Whether what goes to this stream may be coloured and redrawn. */
export function isLively(io: Io, stream: Terminal): boolean {
  return stream.isTTY === true && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb';
}
