import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Tx } from './client.ts';
import { openClient } from './session.ts';

/** A kind of news: its name and a parser (a zod schema is one) for what it carries. */
export interface Channel<T> {
  readonly name: string;
  readonly payload: { parse(value: unknown): T };
}

export interface BusOptions {
  readonly url: string;
  readonly log?: (message: string) => void;
}

/**
 * News between the processes of one database. What is published in a transaction arrives after its commit and never if it is
 * undone; it arrives in this process too. News sent while the connection is down is lost: `onReconnect` tells that it
 * may have been, and who waits for something looks again now and then.
 */
export interface Bus {
  /** False while news cannot arrive: whoever caches by news must read each time. */
  readonly connected: boolean;
  /** Calls `handler` for each later piece of news, in order. It must not throw or block. Returns how to unsubscribe. */
  subscribe<T>(channel: Channel<T>, handler: (news: T) => void): () => void;
  /** Calls `handler` each time the connection is back after it was lost: anything may have been missed. */
  onReconnect(handler: () => void): () => void;
  /** Sends news of less than 8000 bytes as JSON; inside a transaction, at its commit. */
  publish<T>(db: Tx, channel: Channel<T>, news: T): Promise<void>;
  /** Sends several pieces of news by one statement. */
  publishAll<T>(db: Tx, channel: Channel<T>, news: readonly T[]): Promise<void>;
  /** The next news that `matches`, or undefined when the time is over or `signal` is aborted. */
  waitFor<T>(channel: Channel<T>, matches: (news: T) => boolean, options: WaitOptions): Promise<T | undefined>;
  close(): Promise<void>;
}

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** One PostgreSQL channel for all, so that a subscription holds at once, without a LISTEN of its own. */
const PG_CHANNEL = 'berth_news';
/** PostgreSQL's bound for a notification is 8000 bytes. */
const NEWS_BYTES_MAX = 7999;
const PING_EVERY_MS = 15_000;
const PING_TIMEOUT_MS = 5_000;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 5_000;

/** Connects and returns when news can arrive; later losses are mended in the background until `close`. */
export async function openBus(options: BusOptions): Promise<Bus> {
  const bus = new PostgresBus(options);
  await bus.start();
  return bus;
}

type Handler = (payload: unknown) => void;

function messageOf<T>(channel: Channel<T>, news: T): string {
  const message = JSON.stringify([channel.name, news]);
  const bytes = Buffer.byteLength(message);
  if (bytes <= NEWS_BYTES_MAX) return message;
  throw new Error(`News for ${channel.name} has ${bytes} bytes, more than ${NEWS_BYTES_MAX}: send an id instead.`);
}

class PostgresBus implements Bus {
  readonly #options: BusOptions;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #reconnectHandlers = new Set<() => void>();
  readonly #closing = new AbortController();
  #client: pg.Client | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: BusOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#client !== undefined;
  }

  async start(): Promise<void> {
    const first = await this.#connect();
    this.#loop = this.#keepConnected(first);
  }

  subscribe<T>(channel: Channel<T>, handler: (news: T) => void): () => void {
    const handlers = this.#handlers.get(channel.name) ?? new Set<Handler>();
    this.#handlers.set(channel.name, handlers);
    const entry: Handler = (payload) => handler(channel.payload.parse(payload));
    handlers.add(entry);
    return () => {
      handlers.delete(entry);
      if (handlers.size === 0 && this.#handlers.get(channel.name) === handlers) this.#handlers.delete(channel.name);
    };
  }

  onReconnect(handler: () => void): () => void {
    const entry = (): void => handler();
    this.#reconnectHandlers.add(entry);
    return () => void this.#reconnectHandlers.delete(entry);
  }

  async publish<T>(db: Tx, channel: Channel<T>, news: T): Promise<void> {
    await db.$executeRaw`SELECT pg_notify(${PG_CHANNEL}, ${messageOf(channel, news)})`;
  }

  async publishAll<T>(db: Tx, channel: Channel<T>, news: readonly T[]): Promise<void> {
    if (news.length === 0) return;
    const messages = news.map((piece) => messageOf(channel, piece));
    await db.$executeRaw`SELECT pg_notify(${PG_CHANNEL}, message) FROM unnest(${messages}::text[]) AS message`;
  }

  async waitFor<T>(channel: Channel<T>, matches: (news: T) => boolean, { timeoutMs, signal }: WaitOptions): Promise<T | undefined> {
    return await new Promise((resolve, reject) => {
      const finish = (news: T | undefined): void => {
        clearTimeout(timer);
        unsubscribe();
        signal?.removeEventListener('abort', onAbort);
        resolve(news);
      };
      const onAbort = (): void => finish(undefined);
      const timer = setTimeout(onAbort, timeoutMs);
      const unsubscribe = this.subscribe(channel, (news) => {
        try {
          if (matches(news)) finish(news);
        } catch (error) {
          finish(undefined);
          reject(new Error('The test of news failed.', { cause: error }));
        }
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted || this.#closing.signal.aborted) onAbort();
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#handlers.clear();
    this.#reconnectHandlers.clear();
    await this.#client?.end().catch(() => undefined);
    await this.#loop;
  }

  async #connect(): Promise<pg.Client> {
    const client = await openClient({
      connectionString: this.#options.url,
      application_name: 'berth news',
      connectionTimeoutMillis: PING_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', (message) => this.#deliver(message.payload ?? ''));
    try {
      await client.query(`LISTEN ${PG_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Runs until `close`: waits for the loss of the connection, then tries again, ever more patiently. */
  async #keepConnected(first: pg.Client): Promise<void> {
    let client = first;
    while (!this.#closing.signal.aborted) {
      await this.#untilLost(client);
      this.#client = undefined;
      if (this.#closing.signal.aborted) return;
      this.#log('The connection for news was lost.');
      const next = await this.#reconnect();
      if (next === undefined) return;
      client = next;
      this.#log('The connection for news is back.');
      for (const handler of this.#reconnectHandlers) this.#guarded('reconnect', handler);
    }
  }

  async #reconnect(): Promise<pg.Client | undefined> {
    let waitMs = RETRY_FIRST_MS;
    while (!this.#closing.signal.aborted) {
      try {
        const client = await this.#connect();
        if (!this.#closing.signal.aborted) return client;
        await client.end().catch(() => undefined);
      } catch (error) {
        this.#log(`No connection for news yet: ${error instanceof Error ? error.message : String(error)}`);
        await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: this.#closing.signal }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
      }
    }
    return undefined;
  }

  /** Resolves when the connection has ended, or does not answer any more (a dead peer sends no end). */
  async #untilLost(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    client.once('error', () => ended.abort());
    const signal = AbortSignal.any([ended.signal, this.#closing.signal]);
    while (!signal.aborted) {
      await sleep(PING_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      const answer = client.query('SELECT 1').then(
        () => true,
        () => false,
      );
      const timeout = sleep(PING_TIMEOUT_MS, false, { signal }).catch(() => false);
      if (!(await Promise.race([answer, timeout]))) break;
    }
    client.end().catch(() => undefined);
  }

  #deliver(message: string): void {
    this.#guarded('news', () => {
      const parsed: unknown = JSON.parse(message);
      if (!Array.isArray(parsed) || typeof parsed[0] !== 'string') throw new Error(`news has a wrong shape: ${message.slice(0, 100)}`);
      // A copy: a handler may unsubscribe itself or others.
      for (const handler of Array.from(this.#handlers.get(parsed[0]) ?? [])) this.#guarded(parsed[0], () => handler(parsed[1]));
    });
  }

  /** One handler's fault must not keep the news from the others. */
  #guarded(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#log(`A handler of ${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  #log(message: string): void {
    this.#options.log?.(message);
  }
}
