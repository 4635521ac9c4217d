import { StringDecoder } from 'node:string_decoder';

/** A line that never ends is handed on in pieces of this many characters. */
const LINE_MAX = 64 * 1024;

/** Cuts a stream of bytes into lines without their ends; a progress bar's carriage returns count as ends too. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#split(this.#rest + this.#decoder.write(chunk));
  }

  /** The last line, if its end never came. */
  end(): void {
    this.#split(this.#rest + this.#decoder.end());
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }

  #split(text: string): void {
    const lines = text.split(/\r*\n|\r(?!\n|$)/);
    let rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
    while (rest.length > LINE_MAX) {
      this.#onLine(rest.slice(0, LINE_MAX));
      rest = rest.slice(LINE_MAX);
    }
    this.#rest = rest;
  }
}
