/** DECSET and DECRST: `ESC [ ? 25 ; 1049 h`. A cut sequence at the end of a part is found when the next part is joined. */
// oxlint-disable-next-line no-control-regex -- the escape character is what terminals speak
const PRIVATE_MODES = /\u001b\[\?([\d;]{1,64})([hl])/g;
const SEQUENCE_MAX = 70;
const BLOCK_MAX_BYTES = 64 * 1024;
const BLOCKS_MIN = 4;
/** A line that is longer is cut within itself. */
const LINE_MAX_BYTES = 16 * 1024;

/**
 * The last output of a terminal: at least `maxBytes` of it, a quarter more at most. What falls out of it is not forgotten altogether: the
 * terminal's modes (the alternate screen of an editor, mouse, bracketed paste, a hidden cursor) are kept, so that a replay leaves a terminal
 * in the state in which it was. Output is copied into blocks, since programs write a byte at a time as well.
 */
export class ScrollBack {
  readonly #maxBytes: () => number;
  readonly #blockBytes: number;
  /** Full ones, but for the last. */
  #blocks: Buffer[] = [];
  /** What is left out of the first block, and what is filled of the last one. */
  #start = 0;
  #end = 0;
  readonly #modes = new Map<string, 'h' | 'l'>();
  /** The end of what fell out, for a sequence that lies across the cut. */
  #tail = '';

  /** `maxBytes` may change: less room counts from the next output on. */
  constructor(maxBytes: number | (() => number)) {
    this.#maxBytes = typeof maxBytes === 'number' ? () => maxBytes : maxBytes;
    this.#blockBytes = Math.min(BLOCK_MAX_BYTES, Math.ceil(this.#maxBytes() / BLOCKS_MIN));
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      let last = this.#blocks.at(-1);
      if (last === undefined || this.#end === last.length) {
        last = Buffer.allocUnsafeSlow(this.#blockBytes);
        this.#blocks.push(last);
        this.#end = 0;
      }
      const copied = chunk.copy(last, this.#end, at);
      this.#end += copied;
      at += copied;
    }
    this.#dropOldest();
  }

  /** What brings a fresh terminal to where this one is. */
  snapshot(): Buffer {
    const modes = [...this.#modes].map(([mode, state]) => `\u001b[?${mode}${state}`).join('');
    return Buffer.concat([Buffer.from(modes), ...this.#blocks.map((_, index) => this.#part(index))]);
  }

  /** What counts of a block. */
  #part(index: number): Buffer {
    const block = this.#blocks[index] ?? Buffer.alloc(0);
    return block.subarray(index === 0 ? this.#start : 0, index === this.#blocks.length - 1 ? this.#end : block.length);
  }

  #dropOldest(): void {
    const maxBytes = this.#maxBytes();
    let bytes = (this.#blocks.length - 1) * this.#blockBytes + this.#end;
    let hasDropped = false;
    while (this.#blocks.length > 1 && bytes - this.#blockBytes >= maxBytes) {
      this.#remember(this.#part(0));
      this.#blocks.shift();
      this.#start = 0;
      bytes -= this.#blockBytes;
      hasDropped = true;
    }
    if (!hasDropped) return;
    const first = this.#part(0);
    this.#start = boundary(first);
    this.#remember(first.subarray(0, this.#start));
  }

  #remember(dropped: Buffer): void {
    const text = this.#tail + dropped.toString('latin1');
    for (const [, modes = '', state] of text.matchAll(PRIVATE_MODES)) {
      for (const mode of modes.split(';')) {
        if (mode !== '' && (state === 'h' || state === 'l')) this.#modes.set(mode, state);
      }
      // A program can only invent so many modes.
      if (this.#modes.size > 256) this.#modes.clear();
    }
    this.#tail = text.slice(-SEQUENCE_MAX);
  }
}

/** The first place where neither a line nor a character is cut. */
function boundary(data: Buffer): number {
  const newline = data.indexOf(0x0a);
  if (newline !== -1 && newline < LINE_MAX_BYTES) return newline + 1;
  let start = 0;
  while (start < data.length && ((data[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
