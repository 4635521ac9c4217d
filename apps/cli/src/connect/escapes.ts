const TILDE = 0x7e;
const DOT = 0x2e;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** Finds `~.` at the beginning of a line, as in ssh: the way out of a connection that hangs. `~~` is one tilde. */
export class Escapes {
  #isLineStart = true;
  #hasTilde = false;

  /** What is to be sent of some input, and whether the person wants out. */
  read(input: Buffer): { readonly send: Buffer; readonly isOut: boolean } {
    // Without a tilde there is nothing to find, as in nearly all input.
    if (!this.#hasTilde && !input.includes(TILDE)) {
      const last = input.at(-1);
      if (last !== undefined) this.#isLineStart = last === RETURN || last === NEWLINE;
      return { send: input, isOut: false };
    }
    const send: number[] = [];
    for (const byte of input) {
      if (this.#hasTilde) {
        this.#hasTilde = false;
        if (byte === DOT) return { send: Buffer.from(send), isOut: true };
        if (byte !== TILDE) send.push(TILDE);
        send.push(byte);
      } else if (byte === TILDE && this.#isLineStart) {
        this.#hasTilde = true;
        continue;
      } else {
        send.push(byte);
      }
      this.#isLineStart = byte === RETURN || byte === NEWLINE;
    }
    return { send: Buffer.from(send), isOut: false };
  }
}
