import { Duplex } from 'node:stream';

import { WebSocket } from 'ws';
import type { RawData } from 'ws';
import { joinedChunks } from '../joined-chunks.ts';

/**
 * A WebSocket as a byte stream for HTTP/2, which keeps what arrives until somebody reads; emits `heard` when the first bytes have come. Unlike `createWebSocketStream` it never emits `error`: Node's HTTP/2 answers a transport's
 * error by writing a GOAWAY, and that write fails an assertion of the whole process when another one is still under way. Here the
 * transport just closes; `reason` says why.
 */
export class SocketDuplex extends Duplex {
  readonly #ws: WebSocket;
  reason: Error | undefined;
  #hasHeard = false;

  constructor(ws: WebSocket) {
    super({ highWaterMark: 256 * 1024 });
    this.#ws = ws;
    ws.binaryType = 'nodebuffer';
    ws.on('message', (data) => {
      if (this.destroyed) return;
      if (!this.push(asBuffer(data))) ws.pause();
      if (this.#hasHeard) return;
      this.#hasHeard = true;
      this.emit('heard');
    });
    ws.on('error', (error) => {
      this.reason ??= error;
    });
    ws.on('close', (code) => {
      if (code !== 1000 && code !== 1001 && code !== 1005) this.reason ??= new Error(`The WebSocket closed with code ${code}.`);
      this.destroy();
    });
    if (ws.readyState === WebSocket.CLOSED) this.destroy();
  }

  /** Ends the transport now; the first reason stays. */
  kill(reason?: Error): void {
    this.reason ??= reason;
    this.destroy();
  }

  override _read(): void {
    this.#ws.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#ws.readyState !== WebSocket.OPEN) {
      done();
      return;
    }
    // A failed send is followed by `close`, which says it to everyone.
    this.#ws.send(chunk, { binary: true }, () => done());
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const messages = joinedChunks(chunks);
    const last = messages.pop();
    for (const message of messages) this._write(message, 'binary', () => undefined);
    if (last === undefined) done();
    else this._write(last, 'binary', done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#ws.close(1000);
    done();
  }

  override _destroy(_error: Error | null, done: (error: Error | null) => void): void {
    // A paused socket would never see that it was closed.
    this.#ws.resume();
    this.#ws.terminate();
    done(null);
  }
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
