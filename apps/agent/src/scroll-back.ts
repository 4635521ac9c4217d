/** DECSET and DECRST: `ESC [ ? 25 ; 1049 h`. A cut sequence at the end of a chunk is found when the next chunk is joined. */
// oxlint-disable-next-line no-control-regex -- the escape character is what terminals speak
const PRIVATE_MODES = /\u001b\[\?([\d;]{1,64})([hl])/g;
const SEQUENCE_MAX = 70;

/**
 * The last output of a terminal, at most `maxBytes`. What falls out of it is not forgotten altogether: the terminal's modes (the
 * alternate screen of an editor, mouse, bracketed paste, a hidden cursor) are kept, so that a replay leaves a terminal in the state in
 * which it was.
 */
export class ScrollBack {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #modes = new Map<string, 'h' | 'l'>();
  /** The end of what fell out, for a sequence that lies across the cut. */
  #tail = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // A quarter more, so that the cut is made rarely and in one go.
    if (this.#bytes > this.#maxBytes * 1.25) this.#cut();
  }

  /** What brings a fresh terminal to where this one is. */
  snapshot(): Buffer {
    const modes = [...this.#modes].map(([mode, state]) => `\u001b[?${mode}${state}`).join('');
    return Buffer.concat([Buffer.from(modes), ...this.#chunks]);
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks, this.#bytes);
    const start = boundary(all, all.length - this.#maxBytes);
    this.#remember(all.subarray(0, start));
    const kept = Buffer.from(all.subarray(start));
    this.#chunks = [kept];
    this.#bytes = kept.length;
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

/** The first place from `from` on where neither a line nor a character is cut. */
function boundary(data: Buffer, from: number): number {
  const newline = data.indexOf(0x0a, from);
  if (newline !== -1 && newline - from < 16 * 1024) return newline + 1;
  let start = from;
  while (start < data.length && ((data[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
