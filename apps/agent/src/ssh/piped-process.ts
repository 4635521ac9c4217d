import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

import { failToStart, finish } from './process.ts';
import type { Command, RunningProcess } from './process.ts';
import { hangUp, signalGroup } from './signals.ts';

/** Runs a program whose input, output and errors are three streams of the client, in a session and group of its own. */
export function startPiped({ channel, file, args, cwd, env, onEnd }: Command): RunningProcess | undefined {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe' });
  } catch (error) {
    onEnd();
    failToStart(channel, error);
    return undefined;
  }
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  child.once('error', (error) => {
    end();
    failToStart(channel, error);
  });
  child.once('exit', end);
  // After the output: what the program left running in the background may hold it open, as with any SSH server.
  child.once('close', (code, signal) => {
    if (child.pid === undefined) return;
    void finish(channel, signal === null ? { code: code ?? 0 } : { signal: signal.slice(3) });
  });

  channel.pipe(child.stdin);
  child.stdin.on('error', () => {
    // The program reads no more; its user may still be writing.
    channel.unpipe(child.stdin);
    channel.resume();
  });
  child.stdout.on('error', () => undefined);
  child.stderr.on('error', () => undefined);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });

  return {
    signal: (signal) => {
      if (child.pid !== undefined && !hasEnded) signalGroup(child.pid, signal);
    },
    resize: () => undefined,
    hangUp: () => {
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
      if (child.pid !== undefined && !hasEnded) hangUp(child.pid, () => hasEnded);
    },
  };
}
