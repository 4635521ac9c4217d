import type { Io } from './io.ts';
import { isLively, widthOfTerminal } from './io.ts';
import { fit, plain } from './plain-text.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** One piece of work that takes a while, told on stderr: a spinner on a terminal, a line for each new text elsewhere. */
export class Progress {
  readonly #io: Io;
  readonly #isLively: boolean;
  #text = '';
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: Io) {
    this.#io = io;
    this.#isLively = isLively(io, io.stderr);
  }

  /** Says what is going on now; the same text again says nothing. */
  update(text: string): void {
    const next = plain(text);
    if (next === this.#text) return;
    this.#text = next;
    if (!this.#isLively) {
      this.#io.stderr.write(`${next}\n`);
      return;
    }
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  /** Prints lines above the spinner. They must be plain text. */
  above(lines: string): void {
    this.#clear();
    this.#io.stderr.write(`${lines}\n`);
    if (this.#timer !== undefined) this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
    this.#text = '';
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const width = (widthOfTerminal(this.#io.stderr) ?? 80) - 3;
    this.#io.stderr.write(`\r\u001b[K${FRAMES[this.#frame]} ${fit(this.#text, width)}`);
  }

  #clear(): void {
    if (this.#isLively) this.#io.stderr.write('\r\u001b[K');
  }
}
