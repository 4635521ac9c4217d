/** How long to wait before looking again: shortly while there is news, ever longer while there is none. */
export class Pace {
  readonly #minMs: number;
  readonly #maxMs: number;
  #ms: number;

  constructor({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) {
    this.#minMs = minMs;
    this.#maxMs = maxMs;
    this.#ms = minMs;
  }

  next(hasNews: boolean): number {
    this.#ms = hasNews ? this.#minMs : Math.min(this.#ms * 1.3, this.#maxMs);
    return this.#ms;
  }
}
