import { TunnelError } from '../tunnel/errors.ts';
import type { TunnelErrorCode } from '../tunnel/errors.ts';

/**
 * Frames of a resumable stream: one byte of type, four bytes of length (big-endian), then the payload. Positions count the bytes of one
 * direction since the stream was made; the end of a direction counts as one more, so that it is acknowledged like a byte.
 */
const VERSION = 1;
const HEADER_BYTES = 5;
const EPOCH_BYTES = 8;
const POSITION_BYTES = 6;
const HELLO_BYTES = 1 + EPOCH_BYTES + 4 + 2 * POSITION_BYTES;
const CONTROL_MAX_BYTES = 1024;
const REASON_MAX_BYTES = 512;

/** The most bytes of data in one frame. */
export const DATA_MAX_BYTES = 256 * 1024;

const TYPES = { hello: 1, data: 2, ack: 3, fin: 4, reset: 5, ping: 6, pong: 7 } as const;
const RESET_CODES: readonly TunnelErrorCode[] = ['closed', 'rejected', 'protocol'];

/** An epoch that no stream has: the client has not heard of one yet. */
export const NO_EPOCH: Buffer = Buffer.alloc(EPOCH_BYTES);

/** What both ends say first on every carrier. */
export interface Hello {
  /** Names one life of the stream: made by the host, so that a forgotten stream is never taken for a new one. */
  readonly epoch: Buffer;
  /** Counts the client's carriers, from 1: an older carrier never displaces a newer one. */
  readonly attempt: number;
  /** The position up to which everything has arrived. */
  readonly arrived: number;
  /** The position up to which everything was handed on; never past `arrived`. */
  readonly consumed: number;
}

export interface WireHandlers {
  hello(hello: Hello): void;
  data(piece: Buffer): void;
  ack(consumed: number): void;
  fin(): void;
  reset(reason: TunnelError): void;
  ping(): void;
  pong(): void;
}

function frame(type: number, payloadBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + payloadBytes);
  buffer.writeUInt8(type, 0);
  buffer.writeUInt32BE(payloadBytes, 1);
  return buffer;
}

export function helloFrame({ epoch, attempt, arrived, consumed }: Hello): Buffer {
  const buffer = frame(TYPES.hello, HELLO_BYTES);
  let at = buffer.writeUInt8(VERSION, HEADER_BYTES);
  at += epoch.copy(buffer, at, 0, EPOCH_BYTES);
  at = buffer.writeUInt32BE(attempt, at);
  at = buffer.writeUIntBE(arrived, at, POSITION_BYTES);
  buffer.writeUIntBE(consumed, at, POSITION_BYTES);
  return buffer;
}

export function dataHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(TYPES.data, 0);
  header.writeUInt32BE(length, 1);
  return header;
}

export function ackFrame(consumed: number): Buffer {
  const buffer = frame(TYPES.ack, POSITION_BYTES);
  buffer.writeUIntBE(consumed, HEADER_BYTES, POSITION_BYTES);
  return buffer;
}

export const FIN_FRAME: Buffer = frame(TYPES.fin, 0);
export const PING_FRAME: Buffer = frame(TYPES.ping, 0);
export const PONG_FRAME: Buffer = frame(TYPES.pong, 0);

export function resetFrame(code: TunnelErrorCode, message: string): Buffer {
  const reason = Buffer.from(message).subarray(0, REASON_MAX_BYTES);
  const buffer = frame(TYPES.reset, 1 + reason.length);
  buffer.writeUInt8(Math.max(0, RESET_CODES.indexOf(code)), HEADER_BYTES);
  reason.copy(buffer, HEADER_BYTES + 1);
  return buffer;
}

/** Cuts what a carrier brings back into frames; data passes through in the pieces in which it arrives. Throws a `TunnelError` of code `protocol`. */
export class WireDecoder {
  readonly #handlers: WireHandlers;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #type = 0;
  #left = 0;
  #payload: Buffer[] = [];
  #hasHello = false;
  #isStopped = false;

  constructor(handlers: WireHandlers) {
    this.#handlers = handlers;
  }

  /** No handler is called any more, not even for the rest of a chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isStopped) {
      if (this.#headerBytes < HEADER_BYTES) {
        const copied = chunk.copy(this.#header, this.#headerBytes, at, at + HEADER_BYTES - this.#headerBytes);
        this.#headerBytes += copied;
        at += copied;
        if (this.#headerBytes < HEADER_BYTES) return;
        this.#begin();
      } else {
        const piece = chunk.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#type === TYPES.data) this.#handlers.data(piece);
        else this.#payload.push(piece);
      }
      if (this.#left === 0 && !this.#isStopped) this.#finish();
    }
  }

  #begin(): void {
    this.#type = this.#header.readUInt8(0);
    this.#left = this.#header.readUInt32BE(1);
    const max = this.#type === TYPES.data ? DATA_MAX_BYTES : CONTROL_MAX_BYTES;
    if (this.#left > max) throw new TunnelError('protocol', `A frame of ${this.#left} bytes is more than the ${max} that are allowed.`);
    const isFirst = this.#type === TYPES.hello || this.#type === TYPES.reset;
    if (!this.#hasHello && !isFirst) throw new TunnelError('protocol', 'A carrier of a resumable stream begins with a greeting.');
  }

  #finish(): void {
    const payload = this.#payload.length === 1 ? this.#payload[0] : Buffer.concat(this.#payload);
    this.#payload = [];
    this.#headerBytes = 0;
    if (payload !== undefined && this.#type !== TYPES.data) this.#control(payload);
  }

  #control(payload: Buffer): void {
    switch (this.#type) {
      case TYPES.hello:
        if (this.#hasHello) throw new TunnelError('protocol', 'A second greeting came on one carrier.');
        this.#hasHello = true;
        return this.#handlers.hello(readHello(payload));
      case TYPES.ack:
        needBytes(payload, POSITION_BYTES);
        return this.#handlers.ack(payload.readUIntBE(0, POSITION_BYTES));
      case TYPES.fin:
        return this.#handlers.fin();
      case TYPES.reset:
        needBytes(payload, 1);
        return this.#handlers.reset(new TunnelError(RESET_CODES[payload.readUInt8(0)] ?? 'closed', payload.toString('utf8', 1)));
      case TYPES.ping:
        return this.#handlers.ping();
      case TYPES.pong:
        return this.#handlers.pong();
      default:
        throw new TunnelError('protocol', `A frame of the unknown type ${this.#type} came.`);
    }
  }
}

function readHello(payload: Buffer): Hello {
  needBytes(payload, HELLO_BYTES);
  const version = payload.readUInt8(0);
  if (version !== VERSION) throw new TunnelError('protocol', `The other end speaks version ${version} of resumable streams, not ours.`);
  const afterEpoch = 1 + EPOCH_BYTES;
  const hello: Hello = {
    epoch: Buffer.from(payload.subarray(1, afterEpoch)),
    attempt: payload.readUInt32BE(afterEpoch),
    arrived: payload.readUIntBE(afterEpoch + 4, POSITION_BYTES),
    consumed: payload.readUIntBE(afterEpoch + 4 + POSITION_BYTES, POSITION_BYTES),
  };
  if (hello.consumed > hello.arrived) throw new TunnelError('protocol', 'The other end read more than it got.');
  return hello;
}

function needBytes(payload: Buffer, bytes: number): void {
  if (payload.length < bytes) throw new TunnelError('protocol', 'A frame is too short for what it says.');
}
