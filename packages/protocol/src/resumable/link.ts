import type { Duplex } from 'node:stream';

import { TunnelError } from '../tunnel/errors.ts';
import { resetFrame, WireDecoder } from './wire.ts';
import type { WireHandlers } from './wire.ts';

/** What a carrier may take to greet. */
const HELLO_TIMEOUT_MS = 10_000;
/** What a carrier that was ended may take to deliver its last words. */
const LINGER_MS = 5000;

export interface LinkHandlers extends WireHandlers {
  /** The carrier is gone. Called once, and never after `drop` or `finish`. */
  lost(reason: Error | undefined): void;
  /** The other end broke the protocol; the stream cannot go on. */
  broken(error: TunnelError): void;
  /** The carrier takes more. */
  drain(): void;
}

/** One carrier of a resumable stream. */
export class Link {
  readonly #carrier: Duplex;
  readonly #handlers: LinkHandlers;
  readonly #decoder: WireDecoder;
  readonly #helloTimer: NodeJS.Timeout;
  #isDropped = false;
  /** Milliseconds of `performance.now()` at which anything came last. */
  lastHeardAt: number = performance.now();

  constructor(carrier: Duplex, handlers: LinkHandlers) {
    this.#carrier = carrier;
    this.#handlers = handlers;
    this.#decoder = new WireDecoder({
      ...handlers,
      hello: (hello) => {
        clearTimeout(this.#helloTimer);
        handlers.hello(hello);
      },
    });
    const lose = (reason: Error | undefined): void => this.lose(reason);
    this.#helloTimer = setTimeout(() => lose(new TunnelError('timeout', 'The carrier did not greet in time.')), HELLO_TIMEOUT_MS);
    this.#helloTimer.unref();
    carrier.on('data', (chunk: Buffer) => {
      this.lastHeardAt = performance.now();
      try {
        this.#decoder.push(chunk);
      } catch (error) {
        if (!(error instanceof TunnelError)) throw error;
        handlers.broken(error);
      }
    });
    carrier.on('drain', () => {
      if (!this.#isDropped) handlers.drain();
    });
    carrier.on('error', lose);
    carrier.on('end', () => lose(undefined));
    carrier.on('close', () => lose(undefined));
    if (carrier.destroyed) queueMicrotask(() => lose(carrier.errored ?? undefined));
  }

  /** True when the carrier should take nothing more before `drain`. */
  get isFull(): boolean {
    return this.#carrier.writableNeedDrain;
  }

  send(...buffers: Buffer[]): void {
    if (this.#isDropped || this.#carrier.destroyed || this.#carrier.writableEnded) return;
    if (buffers.length > 1) this.#carrier.cork();
    for (const buffer of buffers) this.#carrier.write(buffer);
    if (buffers.length > 1) this.#carrier.uncork();
  }

  /** Lets go of the carrier at once, and says so. */
  lose(reason: Error | undefined): void {
    if (this.#isDropped) return;
    this.drop();
    this.#handlers.lost(reason);
  }

  /** Lets go of the carrier at once. */
  drop(): void {
    if (this.#isDropped) return;
    this.#forget();
    this.#carrier.destroy();
  }

  /** Lets go of the carrier after what was sent, and the reason if there is one, has left. */
  finish(reason?: TunnelError): void {
    if (this.#isDropped) return;
    if (reason !== undefined) this.send(resetFrame(reason.code, reason.message));
    this.#forget();
    const carrier = this.#carrier;
    const timer = setTimeout(() => carrier.destroy(), LINGER_MS);
    timer.unref();
    carrier.once('close', () => clearTimeout(timer));
    carrier.end();
    // Both directions have ended once the peer ends too; what it still says is of no interest.
    carrier.resume();
  }

  #forget(): void {
    this.#isDropped = true;
    this.#decoder.stop();
    clearTimeout(this.#helloTimer);
  }
}
