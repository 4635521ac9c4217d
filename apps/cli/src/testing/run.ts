import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Io } from '../frame/io.ts';
import { runCli } from '../frame/program.ts';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was printed, as JSON. */
  json(): unknown;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input, which then ends. */
  readonly stdin?: string;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** Commands run in a folder of this process, because what lies in the system's own is not known. */
const emptyFolder = mkdtempSync(path.join(tmpdir(), 'berth-cli-test-'));
process.once('exit', () => rmSync(emptyFolder, { recursive: true, force: true }));

/** Runs one command line as a script would: nothing is a terminal. */
export async function run(argv: readonly string[], { env = {}, stdin = '', cwd = emptyFolder, signal }: RunOptions = {}): Promise<Result> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [printed, said] = [collect(stdout), collect(stderr)];
  const input = new PassThrough();
  input.end(stdin);
  const io: Io = {
    stdin: input,
    stdout,
    stderr,
    env,
    cwd,
    platform: 'linux',
    signal: signal ?? new AbortController().signal,
  };
  const code = await runCli(argv, io);
  stdout.end();
  stderr.end();
  const text = await printed;
  return { code, stdout: text, stderr: await said, json: (): unknown => JSON.parse(text) };
}

async function collect(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
