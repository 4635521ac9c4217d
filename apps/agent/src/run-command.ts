import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';

import type { ScriptStatus } from '@berth/protocol/agent';

import type { ScriptPipes } from './script-pipes.ts';
import type { Workspace } from './workspace.ts';

const KILL_GRACE_MS = 3000;
const PIPES_GRACE_MS = 10_000;
/** The exit code when there is none. */
const UNKNOWN_EXIT_CODE = 255;

export interface CommandResult {
  readonly exitCode: number;
  readonly status: ScriptStatus;
}

export interface RunOptions {
  readonly workspace: Workspace;
  readonly script: string;
  /** Milliseconds after which the command and what it started are killed; 0 for none. */
  readonly timeoutMs: number;
  /** Milliseconds after the exit in which the output must end. 10 s by default. */
  readonly pipesGraceMs?: number;
  readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
  readonly signal?: AbortSignal;
  /** Besides those of the workspace. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What the output goes through; pipes of this process alone unless given. */
  readonly pipes?: ScriptPipes | undefined;
  /** Called when nobody can write any more, which may be long after the command's end. */
  readonly onOutputEnd?: () => void;
}

/**
 * Runs a script by the login shell, or by the interpreter of its `#!` line, in a process group of its own. Never rejects: a command that
 * cannot be started is an `exit_failure` whose reason goes to `onOutput`. What runs on in the background keeps its output.
 */
export function runCommand(options: RunOptions): Promise<CommandResult> {
  const { workspace, script, timeoutMs, onOutput, signal, pipes } = options;
  const [file, ...args] = commandLine(script, workspace.shell);
  return new Promise((resolve) => {
    const ended = Promise.withResolvers<void>();
    void ended.promise.then(() => options.onOutputEnd?.());
    const fail = (error: Error): void => {
      onOutput(Buffer.from(`The script could not be started: ${error.message}\n`), 'stderr');
      if (pipes === undefined) ended.resolve();
      resolve({ exitCode: UNKNOWN_EXIT_CODE, status: 'exit_failure' });
    };
    let child: ChildProcess;
    const ends = pipes?.writingEnds();
    pipes?.read(onOutput).then(ended.resolve, ended.resolve);
    try {
      child = spawn(file, args, {
        cwd: workspace.cwd(),
        env: { ...workspace.environment(), ...options.variables },
        detached: true,
        stdio: ['ignore', ...(ends ?? (['pipe', 'pipe'] as const))],
      });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      return;
    } finally {
      for (const fd of ends ?? []) closeSync(fd);
    }
    let isTimedOut = false;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      killGroup(child, 'SIGTERM');
      killTimer ??= setTimeout(() => killGroup(child, 'SIGKILL'), KILL_GRACE_MS);
    };
    const timer =
      timeoutMs > 0
        ? setTimeout(() => {
            isTimedOut = true;
            stop();
          }, timeoutMs)
        : undefined;
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', stop);
    };

    child.stdout?.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'));
    child.stderr?.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'));
    child.once('error', (error) => {
      settle();
      fail(error);
    });
    child.once('exit', (code, signalName) => {
      settle();
      if (isTimedOut) killGroup(child, 'SIGKILL');
      const exitCode = isTimedOut ? UNKNOWN_EXIT_CODE : exitCodeOf(code, signalName);
      const status = isTimedOut ? 'timed_out' : exitCode === 0 ? 'ok' : 'exit_failure';
      const pipesTimer = setTimeout(() => {
        resolve({ exitCode, status: status === 'ok' ? 'pipes_left_open' : status });
      }, options.pipesGraceMs ?? PIPES_GRACE_MS);
      void ended.promise.then(() => {
        clearTimeout(pipesTimer);
        resolve({ exitCode, status });
      });
    });
    if (pipes === undefined) child.once('close', () => ended.resolve());
  });
}

/** How a script is run. The kernel allows 128 KiB for one argument, which is why the manifest bounds scripts. */
function commandLine(script: string, shell: string): [string, ...string[]] {
  const [, line] = /^\s*#!([^\n]*)/.exec(script) ?? [];
  const [interpreter, ...args] = line?.trim().split(/\s+/) ?? [];
  return interpreter ? [interpreter, ...args, '-c', script] : [shell, '-c', script];
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return signal === null ? UNKNOWN_EXIT_CODE : 128 + constants.signals[signal];
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
