import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Berth } from './berth.ts';
import { OWNER } from './people.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/dist/berth.mjs', import.meta.url));
const TIMEOUT_MS = 60_000;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, and that is typed to. */
export interface Running {
  /** All that it has said, on both streams. */
  said(): string;
  type(text: string): void;
  readonly ended: Promise<Ended>;
  end(): void;
}

/** A person at a computer of their own: the built command line, and a home folder. */
export interface Computer {
  readonly home: string;
  /** What runs `berth`: the program and its first argument. */
  readonly berth: readonly [string, string];
  /** Runs a program to its end; never rejects for how it ends. */
  run(
    program: string,
    args: readonly string[],
    options?: { readonly input?: string; readonly cwd?: string; readonly env?: Record<string, string> },
  ): Promise<Ended>;
  /** Runs a line of `berth`. */
  cli(...args: readonly string[]): Promise<Ended>;
  start(program: string, args: readonly string[]): Running;
  dispose(): Promise<void>;
}

/** A computer on which the owner has signed in to the product by the command line. */
export async function signedInComputer({ url }: Berth): Promise<Computer> {
  const home = await mkdtemp(join(tmpdir(), 'berth-computer-'));
  const running = new Set<ChildProcess>();
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, BERTH_CONFIG_DIR: join(home, 'berth'), TERM: 'xterm-256color' };
  const begin = (
    program: string,
    args: readonly string[],
    { cwd = home, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  ) => {
    const child = spawn(program, args, { cwd, env: { ...environment, ...env }, stdio: 'pipe' });
    running.add(child);
    let [stdout, stderr, all] = ['', '', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      all += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      all += chunk.toString();
    });
    child.stdin.on('error', () => undefined);
    const ended = new Promise<Ended>((resolve) => {
      child.once('error', (error) => resolve({ code: -1, stdout, stderr: error.message }));
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code: code ?? (signal === null ? -1 : -2), stdout, stderr });
      });
    });
    return { child, ended, said: () => all };
  };
  const computer: Computer = {
    home,
    berth: [process.execPath, PROGRAM],
    run: async (program, args, { input = '', ...place } = {}) => {
      const { child, ended } = begin(program, args, place);
      const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
      child.stdin.end(input);
      const result = await ended;
      clearTimeout(timer);
      return result;
    },
    cli: (...args) => computer.run(process.execPath, [PROGRAM, ...args]),
    start: (program, args) => {
      const { child, ended, said } = begin(program, args);
      return { ended, said, type: (text) => void child.stdin.write(text), end: () => void child.kill('SIGTERM') };
    },
    dispose: async () => {
      for (const child of running) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  const login = ['login', url, '--email', OWNER.email, '--password-stdin'];
  const { code, stderr } = await computer.run(process.execPath, [PROGRAM, ...login], { input: `${OWNER.password}\n` });
  if (code !== 0) throw new Error(`Signing in by the command line failed: ${stderr}`);
  return computer;
}
