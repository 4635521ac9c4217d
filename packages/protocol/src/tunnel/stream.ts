import { constants } from 'node:http2';
import type { Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';

import { TunnelError } from './errors.ts';
import { exitFrame, FRAME_MAX_BYTES, FRAME_TYPES, FrameDecoder, frameHeader, resizeFrame } from './frames.ts';
import type { PtyExit, TerminalSize } from './frames.ts';

/** Bytes that went through the streams of a tunnel, seen from the end that counts. */
export interface ByteCounter {
  rxBytes: number;
  txBytes: number;
}

/**
 * A Duplex over one HTTP/2 stream. It adds what Node leaves open: a stream that was cut off, rather than ended, is destroyed with
 * a `TunnelError`, so that half an answer never looks like a whole one.
 */
abstract class TunnelDuplex extends Duplex {
  protected readonly http2Stream: Http2Stream;
  readonly #counter: ByteCounter | undefined;
  #hasEnded = false;
  #bytesCarried = 0;

  constructor(stream: Http2Stream, options: { allowHalfOpen: boolean; counter?: ByteCounter | undefined }) {
    super({ allowHalfOpen: options.allowHalfOpen, highWaterMark: 64 * 1024 });
    this.http2Stream = stream;
    this.#counter = options.counter;
    stream.on('data', (chunk: Buffer) => {
      if (this.destroyed) return;
      this.#bytesCarried += chunk.length;
      if (this.#counter !== undefined) this.#counter.rxBytes += chunk.length;
      this.receive(chunk);
      if (this.readableLength >= this.readableHighWaterMark) stream.pause();
    });
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
      this.#hasEnded = true;
      this.receiveEnd();
    });
    stream.on('error', (error) => this.destroy(new TunnelError('closed', 'The stream broke off.', error)));
    stream.on('close', () => {
      if (this.#hasEnded && this.writableFinished) return;
      this.destroy(this.#hasEnded ? undefined : new TunnelError('closed', 'The other end of the stream is gone.'));
    });
    if (stream.closed) this.destroy(new TunnelError('closed', 'The other end of the stream is gone.'));
  }

  /** Bytes both ways so far. */
  get bytesCarried(): number {
    return this.#bytesCarried;
  }

  /** Takes what arrived; pushes to the readable side. */
  protected abstract receive(chunk: Buffer): void;

  protected receiveEnd(): void {
    this.push(null);
  }

  override _read(): void {
    this.http2Stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#bytesCarried += chunk.length;
    if (this.#counter !== undefined) this.#counter.txBytes += chunk.length;
    this.send(chunk, done);
  }

  protected send(chunk: Buffer, done: (error?: Error | null) => void): void {
    this.http2Stream.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.http2Stream.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isWhole = error === null && this.#hasEnded && this.writableFinished;
    // `close(CANCEL)` would not do: it sends the end of the stream before the reset, and the peer would take that for a whole one.
    if (!isWhole) this.http2Stream.destroy(error ?? new TunnelError('closed', 'The stream was closed here.'));
    done(error);
  }
}

/**
 * A TCP connection inside the workspace. Has the few extra methods of a `net.Socket` that HTTP clients call, so it can be handed to
 * `http.request({ createConnection })` or undici.
 */
export class TcpStream extends TunnelDuplex {
  constructor(stream: Http2Stream, counter?: ByteCounter) {
    super(stream, { allowHalfOpen: true, counter });
  }

  protected override receive(chunk: Buffer): void {
    this.push(chunk);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(millis: number, onTimeout?: () => void): this {
    this.http2Stream.setTimeout(millis, () => this.emit('timeout'));
    if (onTimeout !== undefined) this.once('timeout', onTimeout);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Both ends of a terminal: the bytes are the Duplex itself, sizes and the exit travel beside them. */
abstract class FramedStream extends TunnelDuplex {
  readonly #decoder: FrameDecoder;

  constructor(stream: Http2Stream, counter?: ByteCounter) {
    super(stream, { allowHalfOpen: false, counter });
    this.#decoder = new FrameDecoder({
      data: (piece) => this.push(piece),
      resize: (size) => this.receiveResize(size),
      exit: (exit) => this.receiveExit(exit),
    });
  }

  protected receiveResize(_size: TerminalSize): void {
    // Only the agent listens to sizes.
  }

  protected receiveExit(_exit: PtyExit): void {
    // Only the server listens to exits.
  }

  protected override receive(chunk: Buffer): void {
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new TunnelError('protocol', 'A frame could not be read.', error));
    }
  }

  protected override receiveEnd(): void {
    if (this.#decoder.isAtBoundary) this.push(null);
    else this.destroy(new TunnelError('closed', 'The stream ended in the middle of a frame.'));
  }

  protected override send(chunk: Buffer, done: (error?: Error | null) => void): void {
    this.http2Stream.cork();
    for (let offset = 0; offset < chunk.length; offset += FRAME_MAX_BYTES) {
      const piece = chunk.subarray(offset, offset + FRAME_MAX_BYTES);
      this.http2Stream.write(frameHeader(FRAME_TYPES.data, piece.length));
      this.http2Stream.write(piece, offset + FRAME_MAX_BYTES >= chunk.length ? done : undefined);
    }
    if (chunk.length === 0) done();
    this.http2Stream.uncork();
  }
}

/**
 * The server's end of a terminal. Reading gives the terminal's output, first the scroll-back; writing types into it. It ends when the
 * process exits (`exit` is set by then) and is destroyed with a `TunnelError` when the agent is gone.
 */
export class PtyStream extends FramedStream {
  #exit: PtyExit | null = null;
  #pendingSize: TerminalSize | null = null;

  /** How the process ended; null while it runs. Set before `end`. */
  get exit(): PtyExit | null {
    return this.#exit;
  }

  /** Tells the terminal its size. Sizes that have not left yet are replaced, so this never queues. */
  resize(size: TerminalSize): void {
    if (this.destroyed || this.writableEnded) return;
    if (!this.http2Stream.writableNeedDrain) {
      this.http2Stream.write(resizeFrame(size));
      return;
    }
    if (this.#pendingSize === null) {
      this.http2Stream.once('drain', () => {
        const last = this.#pendingSize;
        this.#pendingSize = null;
        if (last !== null) this.resize(last);
      });
    }
    this.#pendingSize = size;
  }

  protected override receiveExit(exit: PtyExit): void {
    this.#exit = exit;
  }
}

/** The agent's end of a terminal: reading gives what the person types, writing shows output; emits `resize` with a `TerminalSize`. */
export class PtyChannel extends FramedStream {
  #exit: PtyExit | null = null;

  /** Says how the process ended, after all output, and ends the stream. */
  finish(exit: PtyExit): void {
    if (this.destroyed || this.writableEnded) return;
    this.#exit = exit;
    this.end();
  }

  protected override receiveResize(size: TerminalSize): void {
    this.emit('resize', size);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#exit === null) this.http2Stream.end(done);
    else this.http2Stream.end(exitFrame(this.#exit), done);
  }
}
