import { mkdir, readFile, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from '../session.ts';
import { DatabaseStartError } from '../start-error.ts';
import { type ClusterPlace, placeIn } from './cluster.ts';
import { type Reachable, type StartOptions, adopt, startNew, urlOf } from './launch.ts';
import { findRunning, stopPostgres } from './process.ts';

export interface EmbeddedPostgresOptions {
  /** Berth's data folder; the cluster lies in `<dataDir>/postgres`. Made when absent. */
  readonly dataDir: string;
  readonly database?: string;
  readonly log?: (message: string) => void;
  /** False gives up crash safety for speed. For tests only. */
  readonly durable?: boolean;
  /** Further PostgreSQL settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once when PostgreSQL ended without having been told to, and could not be brought back. */
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
const OWNER_CONNECT_TIMEOUT_MS = 10_000;
/** How often a PostgreSQL that ended is tried to be brought back. */
const RECOVERIES = 5;
const RECOVERY_PAUSE_MS = 500;

/**
 * Starts PostgreSQL on the data folder, listening on 127.0.0.1 only, in a process group of its own (a Ctrl-C in the
 * terminal does not reach it). After a crash of its former parent the one that still runs is adopted; after a crash of
 * everything the data is recovered. When it ends by itself, or ends all sessions because one of them crashed, it is brought back at the
 * same address. One Berth at a time may use a data folder. Throws an error whose message is a sentence for the person who started Berth.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const start: StartOptions = {
    place: placeIn(dataDir),
    durable: options.durable ?? true,
    log: options.log ?? (() => undefined),
    settings: options.settings ?? {},
    dataDir,
  };
  const adopted = await adopt(start.place, start.log);
  const running = adopted ?? (await startNew(start));
  const postgres = new OwnedPostgres({ start, running, isAdopted: adopted !== undefined, options });
  try {
    await postgres.takeOver();
    return postgres;
  } catch (error) {
    if (adopted === undefined) await stopPostgres(running.pid, start.place.folder);
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

interface Ownership {
  readonly start: StartOptions;
  readonly running: Reachable;
  readonly isAdopted: boolean;
  readonly options: EmbeddedPostgresOptions;
}

/** A PostgreSQL that this process owns: by a lock of a session, so that the ownership ends with this process. */
class OwnedPostgres implements EmbeddedPostgres {
  readonly isAdopted: boolean;
  readonly url: string;
  readonly port: number;
  readonly #start: StartOptions;
  readonly #options: EmbeddedPostgresOptions;
  #running: Reachable;
  #owner: pg.Client | undefined;
  #recovering: Promise<void> | undefined;
  #isStopping = false;

  constructor({ start, running, isAdopted, options }: Ownership) {
    this.isAdopted = isAdopted;
    this.url = urlOf(running, options.database ?? 'berth');
    this.port = running.port;
    this.#start = start;
    this.#options = options;
    this.#running = running;
  }

  get pid(): number {
    return this.#running.pid;
  }

  /** Takes the data folder's lock and makes the database. */
  async takeOver(): Promise<void> {
    const owner = await openClient({
      connectionString: urlOf(this.#running, 'postgres'),
      application_name: `berth owner ${process.pid}`,
      connectionTimeoutMillis: OWNER_CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    try {
      await takeLock(owner, this.#start.place);
      const database = this.#options.database ?? 'berth';
      const known = await owner.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (known.rowCount === 0) await owner.query(`CREATE DATABASE ${owner.escapeIdentifier(database)}`);
    } catch (error) {
      await owner.end().catch(() => undefined);
      throw error;
    }
    this.#owner = owner;
    owner.once('end', () => {
      if (!this.#isStopping) this.#recovering = this.#recover();
    });
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await this.#recovering;
    // What could not be brought back may be another Berth's by now.
    if (this.#owner === undefined) return;
    await this.#owner.end().catch(() => undefined);
    await stopPostgres(this.#running.pid, this.#start.place.folder);
  }

  async #recover(): Promise<void> {
    const { place, log } = this.#start;
    log(`PostgreSQL (pid ${this.#running.pid}) ended, or ended its sessions. It is brought back.`);
    this.#owner = undefined;
    for (let attempt = 1; !this.#isStopping; attempt += 1) {
      try {
        this.#running = (await adopt(place, log)) ?? (await startNew({ ...this.#start, port: this.port }));
        await this.takeOver();
        log(`PostgreSQL (pid ${this.#running.pid}) is back.`);
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log(`PostgreSQL could not be brought back (attempt ${attempt} of ${RECOVERIES}): ${reason}`);
        if (attempt >= RECOVERIES) {
          this.#options.onUnexpectedExit?.(`PostgreSQL ended unexpectedly and cannot be brought back: ${reason} See ${place.logFile}.`);
          return;
        }
        await sleep(RECOVERY_PAUSE_MS * attempt);
      }
    }
  }
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
