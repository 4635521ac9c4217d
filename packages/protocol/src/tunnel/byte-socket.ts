import { Duplex } from 'node:stream';

import { WebSocket } from 'ws';
import type { RawData } from 'ws';

import { TunnelError } from './errors.ts';

/** No message above this: the doors of the server take 4 MiB at most. */
const MESSAGE_MAX_BYTES = 1024 * 1024;
/** What a peer may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;
/** The protocol's bound for a close reason, in bytes. */
const REASON_MAX_BYTES = 123;
const END = Buffer.alloc(0);

/**
 * A WebSocket of binary messages as a byte stream with back-pressure. Each direction ends alone: an empty message is its end, since
 * WebSockets have none. When both have ended the socket closes with 1000; a peer that closes with 1000 has ended both. Any other close
 * destroys the stream with a `TunnelError` that carries its reason, and a stream that is destroyed with an error closes the socket with
 * 1011 and that error's message.
 */
export class ByteSocket extends Duplex {
  readonly #ws: WebSocket;
  #hasEnded = false;

  constructor(ws: WebSocket) {
    super({ allowHalfOpen: true, highWaterMark: 256 * 1024 });
    this.#ws = ws;
    ws.binaryType = 'nodebuffer';
    ws.on('message', (data) => this.#receive(asBuffer(data)));
    ws.on('error', () => undefined);
    ws.on('close', (code, reason) => this.#closed(code, reason.toString()));
    this.on('error', () => undefined);
    if (ws.readyState === WebSocket.CLOSED) queueMicrotask(() => this.#closed(1006, ''));
  }

  #receive(data: Buffer): void {
    if (this.destroyed || this.#hasEnded) return;
    if (data.length === 0) {
      this.#hasEnded = true;
      this.push(null);
    } else if (!this.push(data)) {
      this.#ws.pause();
    }
  }

  #closed(code: number, reason: string): void {
    if (this.destroyed) return;
    if (code !== 1000) return void this.destroy(gone(code, reason));
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.push(null);
    }
    // What arrived before can still be read.
    if (this.readableEnded) this.destroy();
    else this.once('end', () => this.destroy());
  }

  override _read(): void {
    this.#ws.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#ws.readyState === WebSocket.CONNECTING) return void this.#ws.once('open', () => this._write(chunk, encoding, done));
    for (let at = 0; at < chunk.length; at += MESSAGE_MAX_BYTES) {
      const isLast = at + MESSAGE_MAX_BYTES >= chunk.length;
      this.#send(chunk.subarray(at, at + MESSAGE_MAX_BYTES), isLast ? done : () => undefined);
    }
    if (chunk.length === 0) done();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#ws.readyState === WebSocket.CONNECTING) this.#ws.once('open', () => this.#send(END, done));
    else this.#send(END, done);
  }

  #send(message: Buffer, done: (error?: Error | null) => void): void {
    // A failed send is followed by `close`, which says it to everyone.
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.send(message, { binary: true }, () => done());
    else done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const ws = this.#ws;
    // A paused socket would never see that it was closed.
    ws.resume();
    if (error !== null) ws.close(1011, reasonOf(error));
    else if (this.#hasEnded && this.writableFinished) ws.close(1000);
    else ws.close(1001);
    const timer = setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS);
    ws.once('close', () => clearTimeout(timer));
    if (ws.readyState === WebSocket.CLOSED) clearTimeout(timer);
    done(error);
  }
}

function gone(code: number, reason: string): TunnelError {
  return new TunnelError('closed', reason === '' ? `The connection closed with code ${code}.` : reason);
}

function reasonOf(error: Error): string {
  return Buffer.from(error.message).subarray(0, REASON_MAX_BYTES).toString().replace(/�$/, '');
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
