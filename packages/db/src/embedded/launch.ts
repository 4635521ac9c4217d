import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment } from '../env.ts';
import { openClient } from '../session.ts';
import { DatabaseStartError } from '../start-error.ts';
import { findBinaries } from './binaries.ts';
import { type ClusterPlace, SUPERUSER, ensureCluster } from './cluster.ts';
import { type Identity, chooseIdentity } from './identity.ts';
import { freePort } from './port.ts';
import { findRunning, isPostgresOn, removeStalePidFile, stopPostgres } from './process.ts';

const START_TIMEOUT_MS = 60_000;
const LOG_BYTES_MAX = 10 * 1024 * 1024;

/** A postmaster that runs, and how to connect to it. */
export interface Reachable {
  readonly pid: number;
  readonly port: number;
  readonly password: string;
}

/** The PostgreSQL that runs already, once it answers; one that runs but does not answer is stopped. */
export async function adopt(place: ClusterPlace, log: (message: string) => void): Promise<Reachable | undefined> {
  const running = await findRunning(place.folder);
  if (running === undefined) return undefined;
  const password = (await readFile(place.passwordFile, 'utf8').catch(() => '')).trim();
  const candidate: Reachable = { ...running, password };
  const deadline = Date.now() + 10_000;
  while (running.port !== 0 && Date.now() < deadline) {
    if (await answers(candidate)) {
      log(`PostgreSQL (pid ${running.pid}) was still running and is used again.`);
      return candidate;
    }
    if (!(await isPostgresOn(running.pid, place.folder))) return undefined;
    await sleep(100);
  }
  log(`PostgreSQL (pid ${running.pid}) was still running but does not answer; it is started again.`);
  await stopPostgres(running.pid, place.folder);
  return undefined;
}

async function answers(candidate: Reachable): Promise<boolean> {
  try {
    const client = await openClient({ connectionString: urlOf(candidate, 'postgres'), connectionTimeoutMillis: 3000 });
    await client.end().catch(() => undefined);
    return true;
  } catch {
    return false;
  }
}

export interface StartOptions {
  readonly place: ClusterPlace;
  /** The port that those who are connected know; absent: the one of last time, or any. */
  readonly port?: number;
  readonly durable: boolean;
  readonly log: (message: string) => void;
  readonly settings: Readonly<Record<string, string>>;
  readonly dataDir: string;
}

/** Starts PostgreSQL on the cluster, which is made when absent. */
export async function startNew(options: StartOptions): Promise<Reachable> {
  const { place, dataDir, log } = options;
  const identity = await chooseIdentity({ dataDir, binaries: await findBinaries() });
  if (identity.kind !== 'self') log(`Running as root: PostgreSQL runs apart from it (${identity.kind}).`);
  const password = await ensureCluster({ place, identity, durable: options.durable });
  await removeStalePidFile(place.folder);
  const portFile = join(dataDir, 'postgres-port');
  let wanted = options.port ?? Number((await readFile(portFile, 'utf8').catch(() => '')).trim());
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort(Number.isInteger(wanted) && wanted > 0 && wanted < 65_536 ? wanted : 0));
    try {
      const pid = await spawnPostgres({ ...options, identity, password, port });
      await writeFile(portFile, `${port}\n`);
      return { pid, port, password };
    } catch (error) {
      // The port may have been taken meanwhile; sessions of a killed postmaster need a moment to go away.
      const text = String(error);
      const isPassing = /could not bind|address already in use|shared memory block|lock file/i.test(text);
      if (!isPassing || attempt >= 20) throw error;
      if (/bind|address/i.test(text)) wanted = 0;
      await sleep(250);
    }
  }
}

async function spawnPostgres(options: StartOptions & { identity: Identity; password: string; port: number }): Promise<number> {
  const { place, identity, port } = options;
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args: argv, ...ids } = identity.command(identity.binaries.postgres, ['-D', place.folder, ...args]);
  await rotateLog(place.logFile);
  const log = await open(place.logFile, 'a', 0o600);
  let child: ChildProcess;
  const logStart = (await log.stat()).size;
  try {
    // A file, not a pipe: PostgreSQL outlives a killed parent. Detached: its own process group.
    child = spawn(file, argv, { ...ids, cwd: '/', env: programEnvironment(), detached: true, stdio: ['ignore', log.fd, log.fd] });
  } finally {
    await log.close();
  }
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (ended === undefined && child.pid !== undefined && (await answers({ pid: child.pid, port, password: options.password }))) {
      return child.pid;
    }
    if (ended !== undefined) {
      const text = (await readFile(place.logFile)).subarray(logStart).toString('utf8').trim();
      throw new DatabaseStartError(`PostgreSQL did not start (${ended}). Its last words, from ${place.logFile}:\n${text.slice(-2000)}`);
    }
    await sleep(15);
  }
  child.kill('SIGKILL');
  throw new DatabaseStartError(`PostgreSQL did not answer within ${START_TIMEOUT_MS / 1000} seconds. See ${place.logFile}.`);
}

/** Keeps at most one old log file, so that the log cannot fill the disk over many starts. */
async function rotateLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size > LOG_BYTES_MAX) await rename(file, `${file}.1`);
}

/** Password included: never log it. */
export function urlOf(running: Reachable, database: string): string {
  return `postgresql://${SUPERUSER}:${encodeURIComponent(running.password)}@127.0.0.1:${running.port}/${encodeURIComponent(database)}`;
}
