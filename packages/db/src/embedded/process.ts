import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseStartError } from '../start-error.ts';

const run = promisify(execFile);

/** A postmaster that runs on a cluster's folder, whoever started it. */
export interface RunningPostgres {
  readonly pid: number;
  readonly port: number;
}

/**
 * The postmaster that serves `folder`, or undefined. A pid file that was left behind by a crash (its process is gone, a
 * zombie, or another program that got the same number) does not count.
 */
export async function findRunning(folder: string): Promise<RunningPostgres | undefined> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || !(await isPostgresOn(pid, folder))) return undefined;
  return { pid, port: Number.isSafeInteger(port) ? port : 0 };
}

/** Removes a pid file that no postmaster stands behind, which would make the next start refuse. */
export async function removeStalePidFile(folder: string): Promise<void> {
  await rm(join(folder, 'postmaster.pid'), { force: true });
}

/** True while `pid` is a PostgreSQL main process whose data folder is `folder`. */
export async function isPostgresOn(pid: number, folder: string): Promise<boolean> {
  const command = process.platform === 'linux' ? await linuxCommand(pid) : await psCommand(pid);
  return /(^|\/)postgres -D /.test(command) && command.includes(` -D ${folder} `);
}

async function linuxCommand(pid: number): Promise<string> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The state letter follows the command's name, which stands in parentheses and may hold anything.
    if (status.slice(status.lastIndexOf(')') + 2).startsWith('Z')) return '';
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function psCommand(pid: number): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return `${stdout.trim()} `;
  } catch {
    return '';
  }
}

/**
 * Stops the postmaster and waits until it is gone: fast shutdown (sessions are ended, data is written), then immediate
 * (the next start recovers from the log), then kill.
 */
export async function stopPostgres(pid: number, folder: string): Promise<void> {
  const steps: readonly (readonly [NodeJS.Signals, number])[] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    if (!(await isPostgresOn(pid, folder))) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      if (!(await isPostgresOn(pid, folder))) return;
      await sleep(20);
    }
  }
  throw new DatabaseStartError(`PostgreSQL (pid ${pid}) on ${folder} could not be stopped.`);
}
