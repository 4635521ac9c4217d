import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Io } from '../frame/io.ts';
import { runCli } from '../frame/program.ts';

/** What a person types when the terminal shows this. */
export type Reply = readonly [shown: string, typed: string | typeof INTERRUPT];
/** Ctrl-C where no question listens for it: the terminal makes a signal of it. */
export const INTERRUPT = Symbol('SIGINT');
export const ENTER = '\r';
export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';

/** Runs one command line at a terminal, where somebody answers each question as it comes up. */
export async function runAtTerminal(
  argv: readonly string[],
  replies: readonly Reply[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly screen: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  // As with the streams of a process, which no question can end.
  stderr.end = () => stderr;
  const interrupt = new AbortController();
  const waiting = [...replies];
  let shown = '';
  let sinceReply = '';
  stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    sinceReply += chunk.toString();
    const [next] = waiting;
    if (next === undefined || !stripVTControlCharacters(sinceReply).includes(next[0])) return;
    waiting.shift();
    sinceReply = '';
    // Once the question stands there, its keys are listened to.
    const [, typed] = next;
    setImmediate(() => (typed === INTERRUPT ? interrupt.abort() : stdin.write(typed)));
  });
  let printed = '';
  stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const io: Io = { stdin, stdout, stderr, env, cwd: tmpdir(), platform: 'linux', signal: interrupt.signal };
  const code = await runCli(argv, io);
  return { code, stdout: printed, screen: stripVTControlCharacters(shown) };
}
