import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { TunnelError } from '../tunnel/errors.ts';
import { ResumableStream } from './stream.ts';
import { resetFrame } from './wire.ts';

/** A stream that is over is remembered this long, for a client that did not hear of it. */
const OVER_MS = 30_000;
/** Of those, so many at most. */
const OVER_MAX = 256;

export interface ResumableHostOptions {
  /** Milliseconds for which a stream lives without a carrier. */
  readonly graceMs: number;
  /** Streams at the same time. */
  readonly maxStreams: number;
}

interface Entry {
  readonly stream: ResumableStream;
  readonly holder: string;
}

/** The end that waits for carriers: keeps the streams by name, each with the one who may go on with it. */
export class ResumableHost {
  readonly #options: ResumableHostOptions;
  readonly #live = new Map<string, Entry>();
  readonly #over = new Map<string, { readonly entry: Entry; readonly timer: NodeJS.Timeout }>();

  constructor(options: ResumableHostOptions) {
    this.#options = options;
  }

  /** Streams that live. */
  get size(): number {
    return this.#live.size;
  }

  /**
   * Takes a carrier over. Answers the new stream at the first carrier of this name; null when an existing one goes on with it, or when it
   * was refused (another holder, too many streams), which the client is told.
   */
  accept(carrier: Duplex, { stream: name, holder }: { readonly stream: string; readonly holder: string }): ResumableStream | null {
    const known = this.#live.get(name) ?? this.#over.get(name)?.entry;
    if (known !== undefined) {
      if (known.holder === holder) void known.stream.carry(carrier);
      else refuse(carrier, 'This connection belongs to somebody else.');
      return null;
    }
    if (this.#live.size >= this.#options.maxStreams) {
      refuse(carrier, `There are ${this.#options.maxStreams} connections already.`);
      return null;
    }
    const stream = new ResumableStream({
      epoch: randomBytes(8),
      patienceMs: this.#options.graceMs,
      lostMessage: 'The client did not come back.',
    });
    const entry: Entry = { stream, holder };
    this.#live.set(name, entry);
    stream.once('close', () => this.#end(name, entry));
    void stream.carry(carrier);
    return stream;
  }

  /** Destroys every stream and forgets all. */
  close(): void {
    for (const { stream } of this.#live.values()) stream.destroy(new TunnelError('closed', 'The host was closed.'));
    for (const { timer } of this.#over.values()) clearTimeout(timer);
    this.#live.clear();
    this.#over.clear();
  }

  #end(name: string, entry: Entry): void {
    if (this.#live.get(name) !== entry) return;
    this.#live.delete(name);
    const [oldest] = this.#over.keys();
    if (this.#over.size >= OVER_MAX && oldest !== undefined) this.#forget(oldest);
    const timer = setTimeout(() => this.#forget(name), OVER_MS);
    timer.unref();
    this.#over.set(name, { entry, timer });
  }

  #forget(name: string): void {
    clearTimeout(this.#over.get(name)?.timer);
    this.#over.delete(name);
  }
}

function refuse(carrier: Duplex, message: string): void {
  carrier.on('error', () => undefined);
  carrier.end(resetFrame('rejected', message));
  carrier.resume();
  const timer = setTimeout(() => carrier.destroy(), 5000);
  timer.unref();
  carrier.once('close', () => clearTimeout(timer));
}
