import { TunnelError } from './errors.ts';

/**
 * Terminal frames: one byte of type, four bytes of length (big-endian), then the payload. Data passes through in the pieces in
 * which it arrives, so a reader never holds a whole frame; the small control frames are collected first.
 */
export const FRAME_MAX_BYTES = 1024 * 1024;
const HEADER_BYTES = 5;
const CONTROL_MAX_BYTES = 1024;

export const FRAME_TYPES = { data: 1, resize: 2, exit: 3 } as const;

/** Columns and rows of a terminal, 1 to 65,535. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** How a terminal's process ended. `signal` is the signal's number, or null. */
export interface PtyExit {
  readonly exitCode: number;
  readonly signal: number | null;
}

export interface FrameHandlers {
  data(piece: Buffer): void;
  resize(size: TerminalSize): void;
  exit(exit: PtyExit): void;
}

export function frameHeader(type: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(length, 1);
  return header;
}

/** Refuses what is not a whole number from 1 to 65,535 by answering undefined. */
export function terminalSize(width: number, height: number): TerminalSize | undefined {
  const fits = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= 65_535;
  return fits(width) && fits(height) ? { width, height } : undefined;
}

export function resizeFrame({ width, height }: TerminalSize): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt16BE(width, 0);
  payload.writeUInt16BE(height, 2);
  return Buffer.concat([frameHeader(FRAME_TYPES.resize, payload.length), payload]);
}

export function exitFrame({ exitCode, signal }: PtyExit): Buffer {
  const payload = Buffer.allocUnsafe(5);
  payload.writeInt32BE(exitCode | 0, 0);
  payload.writeUInt8(signal ?? 0, 4);
  return Buffer.concat([frameHeader(FRAME_TYPES.exit, payload.length), payload]);
}

/** Cuts a byte stream back into frames. Unknown types are skipped; an oversize frame throws a `TunnelError`. */
export class FrameDecoder {
  readonly #handlers: FrameHandlers;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #type = 0;
  #left = 0;
  #control: Buffer[] = [];

  constructor(handlers: FrameHandlers) {
    this.#handlers = handlers;
  }

  /** True when the bytes so far end with a whole frame. */
  get isAtBoundary(): boolean {
    return this.#headerBytes === 0;
  }

  push(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#headerBytes < HEADER_BYTES) {
        const copied = chunk.copy(this.#header, this.#headerBytes, offset, offset + HEADER_BYTES - this.#headerBytes);
        this.#headerBytes += copied;
        offset += copied;
        if (this.#headerBytes < HEADER_BYTES) return;
        this.#begin();
      }
      const piece = chunk.subarray(offset, offset + this.#left);
      offset += piece.length;
      this.#left -= piece.length;
      this.#take(piece);
      if (this.#left === 0) this.#finish();
    }
  }

  #begin(): void {
    this.#type = this.#header.readUInt8(0);
    this.#left = this.#header.readUInt32BE(1);
    const isControl = this.#type === FRAME_TYPES.resize || this.#type === FRAME_TYPES.exit;
    const max = isControl ? CONTROL_MAX_BYTES : FRAME_MAX_BYTES;
    if (this.#left > max) throw new TunnelError('protocol', `A frame of ${this.#left} bytes is more than the ${max} that are allowed.`);
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#type === FRAME_TYPES.data) this.#handlers.data(piece);
    else if (this.#type === FRAME_TYPES.resize || this.#type === FRAME_TYPES.exit) this.#control.push(piece);
  }

  #finish(): void {
    const payload = Buffer.concat(this.#control);
    this.#control = [];
    this.#headerBytes = 0;
    if (this.#type === FRAME_TYPES.resize && payload.length >= 4) {
      const size = terminalSize(payload.readUInt16BE(0), payload.readUInt16BE(2));
      if (size !== undefined) this.#handlers.resize(size);
    } else if (this.#type === FRAME_TYPES.exit && payload.length >= 5) {
      this.#handlers.exit({ exitCode: payload.readInt32BE(0), signal: payload.readUInt8(4) || null });
    }
  }
}
