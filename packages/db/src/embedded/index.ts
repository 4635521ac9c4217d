import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { programEnvironment } from '../env.ts';
import { type PostgresBinaries, findBinaries } from './binaries.ts';
import { type ClusterPlace, SUPERUSER, ensureCluster, placeIn } from './cluster.ts';
import { type Identity, chooseIdentity } from './identity.ts';
import { freePort } from './port.ts';
import { findRunning, isPostgresOn, removeStalePidFile, stopPostgres } from './process.ts';
import { DatabaseStartError } from '../start-error.ts';

export interface EmbeddedPostgresOptions {
  /** Berth's data folder; the cluster lies in `<dataDir>/postgres`. Made when absent. */
  readonly dataDir: string;
  readonly database?: string;
  readonly log?: (message: string) => void;
  /** False gives up crash safety for speed. For tests only. */
  readonly durable?: boolean;
  /** Further PostgreSQL settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once when PostgreSQL ends without having been told to. */
  readonly onUnexpectedExit?: (reason: string) => void;
}

export interface EmbeddedPostgres {
  /** Connection string of the database, password included: never log it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** True when PostgreSQL was still running from an earlier start that did not end cleanly. */
  readonly isAdopted: boolean;
  /** Ends all sessions, writes all data and waits until PostgreSQL is gone. Safe to call twice. */
  stop(): Promise<void>;
}

/** Any value: it only has to be the same in every Berth. */
const OWNER_LOCK_KEY = 4_217_390_011;
const OWNER_LOCK_TIMEOUT_MS = 3_000;
const START_TIMEOUT_MS = 60_000;
const LOG_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Starts PostgreSQL on the data folder, listening on 127.0.0.1 only, in a process group of its own (a Ctrl-C in the
 * terminal does not reach it). After a crash of its former parent the one that still runs is adopted; after a crash of
 * everything the data is recovered. One Berth at a time may use a data folder. Throws an error whose message is a
 * sentence for the person who started Berth.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const durable = options.durable ?? true;
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const place = placeIn(dataDir);
  const binaries: PostgresBinaries = await findBinaries();
  const adopted = await adopt(place, log);
  const running = adopted ?? (await startNew({ place, durable, log, settings: options.settings ?? {}, binaries, dataDir }));
  try {
    return await takeOver({ running, place, isAdopted: adopted !== undefined, options });
  } catch (error) {
    if (adopted === undefined) await stopPostgres(running.pid, place.folder);
    throw error;
  }
}

/**
 * Connection string of the embedded PostgreSQL that runs on a data folder now, whoever started it; undefined when none does. For tools
 * beside a running server: they take no ownership. Never log it.
 */
export async function runningEmbeddedUrl(dataDir: string, database = 'berth'): Promise<string | undefined> {
  const place = placeIn(await realpath(dataDir).catch(() => dataDir));
  const running = await findRunning(place.folder);
  if (running === undefined) return undefined;
  return urlOf({ ...running, password: (await readFile(place.passwordFile, 'utf8')).trim() }, database);
}

interface Reachable {
  readonly pid: number;
  readonly port: number;
  readonly password: string;
}

/** The PostgreSQL of an earlier start, when it still answers; one that runs but does not answer is stopped. */
async function adopt(place: ClusterPlace, log: (message: string) => void): Promise<Reachable | undefined> {
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
  const client = new pg.Client({ connectionString: urlOf(candidate, 'postgres'), connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface StartOptions {
  readonly place: ClusterPlace;
  readonly durable: boolean;
  readonly log: (message: string) => void;
  readonly settings: Readonly<Record<string, string>>;
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
}

async function startNew(options: StartOptions): Promise<Reachable> {
  const { place, dataDir, log } = options;
  const identity = await chooseIdentity({ dataDir, binaries: options.binaries });
  if (identity.kind !== 'self') log(`Running as root: PostgreSQL runs apart from it (${identity.kind}).`);
  const password = await ensureCluster({ place, identity, durable: options.durable });
  await removeStalePidFile(place.folder);
  const portFile = join(dataDir, 'postgres-port');
  let wanted = Number((await readFile(portFile, 'utf8').catch(() => '')).trim());
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(Number.isInteger(wanted) && wanted > 0 && wanted < 65_536 ? wanted : 0);
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

interface TakeOverOptions {
  readonly running: Reachable;
  readonly place: ClusterPlace;
  readonly isAdopted: boolean;
  readonly options: EmbeddedPostgresOptions;
}

/** Takes the data folder's lock (held by a session, so that it ends with this process) and makes the database. */
async function takeOver({ running, place, isAdopted, options }: TakeOverOptions): Promise<EmbeddedPostgres> {
  const database = options.database ?? 'berth';
  const owner = new pg.Client({
    connectionString: urlOf(running, 'postgres'),
    application_name: `berth owner ${process.pid}`,
    keepAlive: true,
  });
  let isStopping = false;
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await takeLock(owner, place);
    const known = await owner.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (known.rowCount === 0) await owner.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    await owner.end();
    throw error;
  }
  owner.once('end', () => {
    if (!isStopping) options.onUnexpectedExit?.(`PostgreSQL (pid ${running.pid}) ended unexpectedly. See ${place.logFile}.`);
  });
  return {
    url: urlOf(running, database),
    port: running.port,
    pid: running.pid,
    isAdopted,
    stop: async () => {
      if (isStopping) return;
      isStopping = true;
      await owner.end().catch(() => undefined);
      await stopPostgres(running.pid, place.folder);
    },
  };
}

async function takeLock(owner: pg.Client, place: ClusterPlace): Promise<void> {
  const deadline = Date.now() + OWNER_LOCK_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { rows } = await owner.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [OWNER_LOCK_KEY]);
    if (rows[0]?.taken === true) return;
    // The session of a Berth that was just killed takes a moment to end.
    await sleep(100);
  }
  throw new DatabaseStartError(
    `Another Berth is running on the database in ${place.folder}. Stop it first, or set BERTH_DATA_DIR to another folder.`,
  );
}

function urlOf(running: Reachable, database: string): string {
  return `postgresql://${SUPERUSER}:${encodeURIComponent(running.password)}@127.0.0.1:${running.port}/${encodeURIComponent(database)}`;
}
