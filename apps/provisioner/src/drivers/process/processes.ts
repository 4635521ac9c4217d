import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * A process that can be told apart from a later one with the same number: by when it started, within one boot of the
 * machine. `started` is whatever text the platform has for it; only equality means something.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

const run = promisify(execFile);
const hasProc = process.platform === 'linux';

/** The second half of /proc/PID/stat: the name before it may hold spaces and brackets. Index 0 is field 3, the state. */
async function readStat(pid: number): Promise<string[] | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Who has this number now, or undefined when nobody lives under it (a zombie does not live). */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  if (hasProc) {
    const stat = await readStat(pid);
    const [state, started] = [stat?.[0], stat?.[19]];
    return started === undefined || state === 'Z' || state === 'X' ? undefined : { pid, started: `${bootId()}:${started}` };
  }
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { timeout: 5000 });
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : { pid, started: started.join(' ') };
  } catch {
    return undefined;
  }
}

let cachedBootId: string | undefined;
function bootId(): string {
  cachedBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return cachedBootId;
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(identity.pid);
  return now?.started === identity.started;
}

/** The only child of `pid`, or undefined. */
export async function findChild(pid: number): Promise<number | undefined> {
  try {
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
    if (children !== '') return Number(children.split(' ')[0]);
  } catch {
    // Not every kernel has the file: the scan below finds the same.
  }
  for (const candidate of await listPids()) {
    const stat = await readStat(candidate);
    if (stat?.[1] === String(pid)) return candidate;
  }
  return undefined;
}

async function listPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/**
 * The processes of this host for which `matches` holds, given a reader for their files in /proc (empty for what may not be read).
 * Reading them one by one without waiting is much cheaper than by the thread pool; a breath now and then keeps others going.
 */
async function scan(matches: (read: (file: string) => string) => boolean): Promise<number[]> {
  if (!hasProc) return [];
  const found: number[] = [];
  for (const [index, pid] of (await listPids()).entries()) {
    if (index % 200 === 199) await setImmediate();
    if (pid !== process.pid && matches((file) => readProc(pid, file))) found.push(pid);
  }
  return found;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Living processes of this real uid. */
function pidsOfUid(uid: number): Promise<number[]> {
  const [line, dead] = [new RegExp(`^Uid:\\s+${uid}\\s`, 'm'), /^State:\s+[ZX]/m];
  return scan((read) => {
    const status = read('status');
    return line.test(status) && !dead.test(status);
  });
}

/** Processes whose environment started out with `marker` (`NAME=value`), where the host shows us that. */
function pidsOfMarker(marker: string): Promise<number[]> {
  return scan((read) => `\0${read('environ')}`.includes(`\0${marker}\0`));
}

/** Processes with all of `parts` among their arguments. */
function pidsOfArguments(parts: readonly string[]): Promise<number[]> {
  return scan((read) => {
    const argv = read('cmdline').split('\0');
    return parts.every((part) => argv.includes(part));
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, which is what was wanted.
  }
}

/** Sends a signal unless the number belongs to somebody else by now. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (await isAlive(identity)) send(identity.pid, signal);
}

/** Waits until the process is gone: true, or false after `timeoutMs`. Rejects when `signal` is aborted before. */
export async function waitForExit(identity: ProcessIdentity, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  for (let pause = 5; await isAlive(identity); pause = Math.min(pause * 2, 100)) {
    if (Date.now() >= end) return false;
    await delay(pause, undefined, signal === undefined ? {} : { signal });
  }
  return true;
}

/**
 * Kills every process that `find` still lists, again and again, since the listed ones may be forking: resolves when the
 * list is empty, rejects after `timeoutMs` with what is left.
 */
async function killAll(find: () => Promise<number[]>, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const pids = await find();
    if (pids.length === 0) return;
    if (Date.now() >= end) throw new Error(`Processes ${pids.slice(0, 10).join(', ')} do not end.`);
    for (const pid of pids) send(pid, 'SIGKILL');
    await delay(10);
  }
}

/** Leaves no process of a user that exists for one workspace only. */
export const killUid = (uid: number, timeoutMs: number) => killAll(() => pidsOfUid(uid), timeoutMs);

/** Leaves no process that carries the workspace's mark in its environment. */
export const killMarked = (marker: string, timeoutMs: number) => killAll(() => pidsOfMarker(marker), timeoutMs);

/** Leaves no process that was started with all of these arguments. */
export const killByArguments = (parts: readonly string[], timeoutMs: number) => killAll(() => pidsOfArguments(parts), timeoutMs);

/** Kills the whole process group that `identity` leads. */
export async function killGroup(identity: ProcessIdentity): Promise<void> {
  if (await isAlive(identity)) send(-identity.pid, 'SIGKILL');
}
