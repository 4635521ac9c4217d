/** What a key means to the terminal page itself; everything else is the shell's. Pasting is the browser's own, Ctrl+Shift+V too. */
export type TerminalCommand =
  | { readonly kind: 'copy' }
  | { readonly kind: 'search' }
  | { readonly kind: 'open' }
  | { readonly kind: 'show'; readonly index: number };

type Pressed = Pick<KeyboardEvent, 'type' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code'>;

/**
 * Ctrl+Shift with a key, none of which browsers keep for themselves. Chosen by its place on the keyboard: with Shift, a digit is another
 * character in each layout.
 */
export function terminalCommand({ type, ctrlKey, shiftKey, altKey, metaKey, code }: Pressed): TerminalCommand | undefined {
  if (type !== 'keydown' || !ctrlKey || !shiftKey || altKey || metaKey) return undefined;
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  if (digit !== undefined) return { kind: 'show', index: Number(digit) - 1 };
  switch (code) {
    case 'KeyC':
      return { kind: 'copy' };
    case 'KeyF':
      return { kind: 'search' };
    case 'Enter':
      return { kind: 'open' };
    default:
      return undefined;
  }
}
