import { DATA_MAX_BYTES } from './wire.ts';

/** Pieces this small are counted, not only weighed. */
const CHUNKS_MAX = 16_384;

/**
 * The bytes of one direction that the other end has not got for certain, between two positions: `base`, up to which it has, and
 * `end`. `next` is what the present carrier sends next.
 */
export class Outbox {
  #chunks: Buffer[] = [];
  #head = 0;
  #cursor = 0;
  #cursorOffset = 0;
  #baseOffset = 0;
  base = 0;
  next = 0;
  end = 0;

  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.end - this.base >= this.#maxBytes || this.#chunks.length - this.#head >= CHUNKS_MAX;
  }

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.end += chunk.length;
  }

  /** The next bytes to send, `limit` at most; undefined when there are none. */
  take(limit: number): Buffer | undefined {
    const chunk = this.#chunks[this.#cursor];
    if (chunk === undefined || limit <= 0) return undefined;
    const piece = chunk.subarray(this.#cursorOffset, this.#cursorOffset + Math.min(limit, DATA_MAX_BYTES));
    this.next += piece.length;
    this.#cursorOffset += piece.length;
    if (this.#cursorOffset === chunk.length) {
      this.#cursor += 1;
      this.#cursorOffset = 0;
    }
    return piece;
  }

  /** Forgets everything before `position`, which lies between `base` and `end`. */
  trim(position: number): void {
    let left = position - this.base;
    this.base = position;
    while (left > 0) {
      const chunk = this.#chunks[this.#head];
      if (chunk === undefined) return;
      const rest = chunk.length - this.#baseOffset;
      if (left < rest) {
        this.#baseOffset += left;
        break;
      }
      left -= rest;
      this.#chunks[this.#head] = Buffer.alloc(0);
      this.#head += 1;
      this.#baseOffset = 0;
    }
    if (this.#head > 64 && this.#head * 2 > this.#chunks.length) this.#compact();
  }

  /** Another carrier took over: everything before `position` has arrived, and is forgotten; what follows is sent again. */
  rewindTo(position: number): void {
    this.trim(position);
    this.next = Math.min(this.base, this.end);
    this.#cursor = this.#head;
    this.#cursorOffset = this.#baseOffset;
  }

  clear(): void {
    this.#chunks = [];
    this.#head = 0;
    this.#cursor = 0;
    this.#cursorOffset = 0;
    this.#baseOffset = 0;
  }

  #compact(): void {
    this.#chunks = this.#chunks.slice(this.#head);
    this.#cursor -= this.#head;
    this.#head = 0;
  }
}
