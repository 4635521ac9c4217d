import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Io } from '../frame/io.ts';
import { runCli } from '../frame/program.ts';
import { PROGRAM_UNDER_TEST, SEARCH_PATH } from './env.ts';

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
  /** A built or installed program instead of the sources; else the one that `BERTH_CLI_PROGRAM` names. */
  readonly program?: string;
}

/** Commands run in a folder of this process, because what lies in the system's own is not known. */
const emptyFolder = mkdtempSync(path.join(tmpdir(), 'berth-cli-test-'));
process.once('exit', () => rmSync(emptyFolder, { recursive: true, force: true }));

/** Runs one command line as a script would: no stream is a terminal. */
export function run(argv: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { program = PROGRAM_UNDER_TEST } = options;
  return program === '' ? runSources(argv, options) : runProgram(program, argv, options);
}

async function runSources(argv: readonly string[], { env = {}, stdin = '', cwd = emptyFolder, signal }: RunOptions): Promise<Result> {
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
  return resultOf(code, await printed, await said);
}

async function runProgram(
  program: string,
  argv: readonly string[],
  { env = {}, stdin = '', cwd = emptyFolder, signal }: RunOptions,
): Promise<Result> {
  const child = spawn(program, argv, { cwd, env: { PATH: SEARCH_PATH, ...env }, stdio: 'pipe' });
  const interrupt = (): void => void child.kill('SIGINT');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  // A program may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [printed, said] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, by) => resolve(exitCode ?? (by === 'SIGINT' ? 130 : -1)));
  });
  signal?.removeEventListener('abort', interrupt);
  return resultOf(code, await printed, await said);
}

function resultOf(code: number, stdout: string, stderr: string): Result {
  return { code, stdout, stderr, json: (): unknown => JSON.parse(stdout) };
}

async function collect(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
