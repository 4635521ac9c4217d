/** What a program may have switched on and would have switched off itself: alternate screens, the mouse, pasted text in marks, a hidden cursor. */
const MODES: Readonly<Record<string, 'h' | 'l'>> = {
  '1': 'l',
  '9': 'l',
  '25': 'h',
  '47': 'l',
  '1000': 'l',
  '1002': 'l',
  '1003': 'l',
  '1004': 'l',
  '1005': 'l',
  '1006': 'l',
  '1015': 'l',
  '1047': 'l',
  '1049': 'l',
  '2004': 'l',
};
const ESCAPE = Buffer.from('\u001b[?');
/** The longest sequence that is looked for may be cut by the border of two chunks. */
const TAIL_BYTES = 32;

/** Follows what programs do to a terminal, to undo it when their connection is gone. */
export class TerminalModes {
  readonly #changed = new Map<string, 'h' | 'l'>();
  #tail = Buffer.alloc(0);

  /** What goes to the terminal. */
  see(chunk: Buffer): void {
    const seen = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    if (seen.includes(ESCAPE)) {
      // oxlint-disable-next-line no-control-regex -- the escape character is what it is about
      for (const [, modes = '', final] of seen.toString('latin1').matchAll(/\u001b\[\?([\d;]{1,20})([hl])/g)) {
        for (const mode of modes.split(';')) this.#set(mode, final === 'h' ? 'h' : 'l');
      }
    }
    this.#tail = Buffer.from(seen.subarray(-TAIL_BYTES));
  }

  #set(mode: string, to: 'h' | 'l'): void {
    const usual = MODES[mode];
    if (usual === undefined) return;
    if (to === usual) this.#changed.delete(mode);
    else this.#changed.set(mode, usual);
  }

  /** What makes the terminal as it was; empty when nothing is left to undo. */
  undo(): string {
    const sequences = [...this.#changed].map(([mode, usual]) => `\u001b[?${mode}${usual}`);
    this.#changed.clear();
    return sequences.length === 0 ? '' : `${sequences.join('')}\u001b[0m`;
  }
}
