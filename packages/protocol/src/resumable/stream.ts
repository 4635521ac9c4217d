import { Duplex } from 'node:stream';

import { joinedChunks } from '../joined-chunks.ts';
import { TunnelError } from '../tunnel/errors.ts';
import { Link } from './link.ts';
import { Outbox } from './outbox.ts';
import { ackFrame, dataHeader, FIN_FRAME, helloFrame, NO_EPOCH, PING_FRAME, PONG_FRAME } from './wire.ts';
import type { Hello } from './wire.ts';

/** Bytes of one direction that may be under way: what the writer keeps for another carrier, and what the reader may hold unread. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** What was read is told after so many bytes, or so many milliseconds. */
const ACK_BYTES = 256 * 1024;
const ACK_AFTER_MS = 50;
/** Carriers of one stream that may be about to greet. */
const PENDING_MAX = 4;
/** A header in front of so little is cheaper copied than written alone. */
const COPY_MAX_BYTES = 4096;

export interface ResumableOptions {
  /** Of the host: the epoch is its choice. The client learns it from the first greeting. */
  readonly epoch?: Buffer;
  /** Milliseconds without a carrier after which the stream ends. */
  readonly patienceMs: number;
  /** What the error says then. */
  readonly lostMessage: string;
}

/**
 * One end of a byte stream that outlives its carriers. Bytes arrive exactly once and in order, whatever happens to carriers; writing is
 * held back while 4 MiB wait for the other end's word. `finish` means that the other end has got everything. `destroy` is told to the
 * other end, which is destroyed with a `TunnelError` then; so are both when no carrier comes for too long. An error without a
 * listener ends no process: `errored` and `close` tell it.
 */
export class ResumableStream extends Duplex {
  readonly #isHost: boolean;
  readonly #options: ResumableOptions;
  #epoch: Buffer;
  #link: Link | undefined;
  readonly #pending: Link[] = [];
  #attempt = 0;
  #patience: NodeJS.Timeout | undefined;
  #lastLoss: Error | undefined;
  #isReset = false;

  readonly #out = new Outbox(WINDOW_BYTES);
  #credit = WINDOW_BYTES;
  #acknowledged = 0;
  #isEnding = false;
  #hasSentFin = false;
  #writeDone: ((error?: Error | null) => void) | undefined;
  #finalDone: ((error?: Error | null) => void) | undefined;

  #inbox: Buffer[] = [];
  #arrived = 0;
  #consumed = 0;
  #hasFin = false;
  #hasPushedEnd = false;
  #isWanted = false;
  #told = 0;
  #ackTimer: NodeJS.Timeout | undefined;

  constructor(options: ResumableOptions) {
    super({ allowHalfOpen: true, highWaterMark: 64 * 1024 });
    this.#options = options;
    this.#isHost = options.epoch !== undefined;
    this.#epoch = options.epoch ?? NO_EPOCH;
    this.on('error', () => undefined);
    this.#wait();
  }

  /** True while a carrier is there that has greeted. */
  get isCarried(): boolean {
    return this.#link !== undefined;
  }

  /** True when both directions have ended and both ends know that everything has arrived. */
  get isComplete(): boolean {
    return this.#hasPushedEnd && this.#isEnding && this.#out.base === this.#out.end + 1;
  }

  /**
   * Takes a carrier. The client's greets at once (`attempt` counts them), the host's waits for the greeting. Resolves when it is gone: whether
   * it came to carry, and why it went.
   */
  carry(carrier: Duplex, attempt = 0): Promise<{ readonly wasOpen: boolean; readonly reason: Error | undefined }> {
    const { promise, resolve } = Promise.withResolvers<{ readonly wasOpen: boolean; readonly reason: Error | undefined }>();
    const over = (reason: Error | undefined): void => {
      this.off('close', onClose);
      resolve({ wasOpen, reason });
    };
    const onClose = (): void => over(this.errored ?? undefined);
    let wasOpen = false;
    this.once('close', onClose);
    const greeting = this.#greeting(attempt);
    const link: Link = new Link(carrier, {
      hello: (hello) => {
        wasOpen = this.#greeted(link, hello, greeting);
        if (!wasOpen) over(this.errored ?? undefined);
      },
      data: (piece) => this.#receive(piece),
      ack: (consumed) => this.#acked(consumed),
      fin: () => this.#receiveFin(),
      reset: (reason) => {
        this.#isReset = true;
        this.destroy(reason);
      },
      ping: () => link.send(PONG_FRAME),
      pong: () => undefined,
      drain: () => this.#pump(),
      lost: (reason) => {
        this.#drop(link, reason);
        over(reason);
      },
      broken: (error) => {
        link.finish(error);
        // A carrier that has not greeted may be anybody's mistake; the stream stays.
        if (this.#link === link) this.destroy(error);
        this.#drop(link, error);
        over(error);
      },
    });
    this.#pending.push(link);
    if (this.#pending.length > PENDING_MAX) this.#pending[0]?.lose(new TunnelError('closed', 'Too many carriers wait.'));
    if (!this.#isHost) link.send(helloFrame(greeting));
    return promise;
  }

  /** Why no carrier could be had: the cause of the error when patience ends. */
  noteFailure(error: Error): void {
    this.#lastLoss = error;
  }

  /** Drops a carrier that was silent for so long; asks it for a sign of life otherwise. */
  checkCarrier(deadAfterMs: number): void {
    const link = this.#link;
    if (link === undefined) return;
    if (performance.now() - link.lastHeardAt <= deadAfterMs) return link.send(PING_FRAME);
    link.lose(new TunnelError('timeout', `The carrier was silent for ${deadAfterMs} ms.`));
  }

  #greeting(attempt: number): Hello {
    return { epoch: this.#epoch, attempt, arrived: this.#arrived + (this.#hasFin ? 1 : 0), consumed: this.#position() };
  }

  /** What was handed on, with the end counted as one. */
  #position(): number {
    return this.#consumed + (this.#hasPushedEnd ? 1 : 0);
  }

  /** Whether the carrier carries from now on. */
  #greeted(link: Link, hello: Hello, sent: Hello): boolean {
    const refuse = (code: 'closed' | 'protocol', message: string): false => {
      link.finish(new TunnelError(code, message));
      this.#drop(link, undefined);
      return false;
    };
    if (this.#isHost) {
      const isFirst = hello.epoch.equals(NO_EPOCH);
      if (!isFirst && !hello.epoch.equals(this.#epoch)) {
        if (this.#attempt === 0) this.destroy(new TunnelError('closed', 'The client means a connection of before.'));
        return refuse('closed', 'The other end no longer knows this connection.');
      }
      if (hello.attempt <= this.#attempt) {
        link.lose(new TunnelError('closed', 'A newer carrier has come.'));
        return false;
      }
      if (this.destroyed && !this.isComplete) return refuse('closed', this.errored?.message ?? 'The connection was closed.');
    } else if (this.#epoch === NO_EPOCH) {
      this.#epoch = hello.epoch;
    } else if (!hello.epoch.equals(this.#epoch)) {
      this.destroy(new TunnelError('closed', 'The other end no longer knows this connection.'));
      return false;
    }
    const last = this.#out.end + (this.#isEnding ? 1 : 0);
    if (hello.arrived < this.#out.base || hello.arrived > last || hello.consumed < this.#acknowledged) {
      const error = new TunnelError('protocol', 'The two ends do not agree on what has arrived.');
      this.destroy(error);
      return refuse('protocol', error.message);
    }

    const greeting = this.#isHost ? this.#greeting(hello.attempt) : sent;
    if (this.#isHost) link.send(helloFrame(greeting));
    this.#attempt = hello.attempt;
    if (this.destroyed) {
      // All is done and was said with the greeting.
      link.finish();
      this.#drop(link, undefined);
      return false;
    }
    this.#link?.lose(new TunnelError('closed', 'A newer carrier took over.'));
    this.#pending.splice(this.#pending.indexOf(link), 1);
    this.#link = link;
    clearTimeout(this.#patience);
    this.#told = greeting.consumed;
    this.#acknowledged = hello.consumed;
    this.#credit = hello.consumed + WINDOW_BYTES;
    this.#out.rewindTo(hello.arrived);
    this.#hasSentFin = hello.arrived > this.#out.end;
    this.#settle();
    this.#pump();
    if (this.#position() > this.#told) this.#tell();
    if (!this.destroyed) this.emit('carried');
    return true;
  }

  #drop(link: Link, reason: Error | undefined): void {
    const at = this.#pending.indexOf(link);
    if (at >= 0) this.#pending.splice(at, 1);
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#lastLoss = reason;
    this.#wait();
    if (!this.destroyed) this.emit('lost', reason);
  }

  /** Without a carrier the stream lives on for a while only. */
  #wait(): void {
    clearTimeout(this.#patience);
    if (this.destroyed) return;
    this.#patience = setTimeout(() => {
      this.destroy(new TunnelError('closed', this.#options.lostMessage, this.#lastLoss));
    }, this.#options.patienceMs);
  }

  // Out: what was written goes to the carrier as fast as it takes it, and is kept until the other end has it.

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#out.add(chunk);
    this.#taken(done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    for (const chunk of joinedChunks(chunks)) this.#out.add(chunk);
    this.#taken(done);
  }

  #taken(done: (error?: Error | null) => void): void {
    this.#pump();
    if (this.#out.isFull) this.#writeDone = done;
    else done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#isEnding = true;
    this.#finalDone = done;
    this.#pump();
  }

  #pump(): void {
    const link = this.#link;
    if (link === undefined) return;
    while (!link.isFull) {
      const piece = this.#out.take(this.#credit - this.#out.next);
      if (piece === undefined) break;
      if (piece.length <= COPY_MAX_BYTES) link.send(Buffer.concat([dataHeader(piece.length), piece]));
      else link.send(dataHeader(piece.length), piece);
    }
    if (!this.#isEnding || this.#hasSentFin || this.#out.next !== this.#out.end) return;
    this.#hasSentFin = true;
    link.send(FIN_FRAME);
  }

  #acked(consumed: number): void {
    const sent = this.#out.next + (this.#hasSentFin ? 1 : 0);
    if (consumed < this.#acknowledged || consumed > sent) throw new TunnelError('protocol', 'What was never sent was acknowledged.');
    this.#acknowledged = consumed;
    this.#credit = consumed + WINDOW_BYTES;
    if (consumed > this.#out.base) this.#out.trim(consumed);
    this.#settle();
    this.#pump();
  }

  /** Lets the writer go on, and end, as far as the other end has what was written. */
  #settle(): void {
    if (!this.#out.isFull) {
      const done = this.#writeDone;
      this.#writeDone = undefined;
      done?.();
    }
    if (this.#isEnding && this.#out.base === this.#out.end + 1) {
      const done = this.#finalDone;
      this.#finalDone = undefined;
      done?.();
    }
  }

  // In: the other end never sends more than the window, so a carrier is always read and its acknowledgements never wait behind data.

  #receive(piece: Buffer): void {
    if (this.destroyed) return;
    if (this.#hasFin) throw new TunnelError('protocol', 'Data came after the end.');
    this.#arrived += piece.length;
    if (this.#arrived - this.#told > WINDOW_BYTES) throw new TunnelError('protocol', 'More data came than the window allows.');
    this.#inbox.push(piece);
    this.#deliver();
  }

  #receiveFin(): void {
    if (this.#hasFin) throw new TunnelError('protocol', 'The end came twice.');
    this.#hasFin = true;
    this.#deliver();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#deliver();
  }

  #deliver(): void {
    while (this.#isWanted) {
      const piece = this.#inbox.shift();
      if (piece === undefined) break;
      this.#consumed += piece.length;
      this.#isWanted = this.push(piece);
    }
    if (this.#hasFin && this.#inbox.length === 0 && !this.#hasPushedEnd) {
      this.#hasPushedEnd = true;
      this.push(null);
      this.#tell();
    } else if (this.#consumed - this.#told >= ACK_BYTES) {
      this.#tell();
    } else if (this.#consumed > this.#told) {
      this.#ackTimer ??= setTimeout(() => this.#tell(), ACK_AFTER_MS);
    }
  }

  #tell(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    // Without a carrier the next greeting says it.
    if (this.#link === undefined) return;
    this.#told = this.#position();
    this.#link.send(ackFrame(this.#told));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#ackTimer);
    clearTimeout(this.#patience);
    const link = this.#link;
    this.#link = undefined;
    const reason =
      error instanceof TunnelError ? error : new TunnelError('closed', error?.message ?? 'The other end closed the connection.');
    if (this.#isReset || this.isComplete) link?.finish();
    else link?.finish(reason);
    if (!this.#isHost) for (const pending of this.#pending.splice(0)) pending.drop();
    this.#inbox = [];
    this.#out.clear();
    this.#writeDone?.(reason);
    this.#finalDone?.(reason);
    done(error);
  }
}
