/** Every shortcut of the dashboard, in one table: the keyboard obeys it, and the help sheet shows it. */

export type ShortcutSection = 'Everywhere' | 'Go to' | 'In lists' | 'In a terminal';

export interface Shortcut {
  readonly section: ShortcutSection;
  readonly keys: readonly string[];
  readonly what: string;
  /** Of one key alone, or of a sequence of such: they can be turned off, as speech input may press them by accident. */
  readonly isPlain: boolean;
}

/** Whether the keyboard has a command key, which does there what the control key does elsewhere. */
export function hasCommandKey(platform: string): boolean {
  return /^(?:Mac|iPhone|iPad)/.test(platform);
}

interface Place {
  readonly key: string;
  readonly label: string;
}

export function shortcuts(places: readonly Place[], modifier: string): readonly Shortcut[] {
  const plain = (section: ShortcutSection, keys: readonly string[], what: string): Shortcut => ({ section, keys, what, isPlain: true });
  const held = (section: ShortcutSection, keys: string, what: string): Shortcut => ({ section, keys: [keys], what, isPlain: false });
  return [
    held('Everywhere', `${modifier} K`, 'Search, go anywhere, do anything'),
    plain('Everywhere', ['/'], 'Search on this page'),
    plain('Everywhere', ['n'], 'New workspace'),
    plain('Everywhere', ['?'], 'Show or hide this sheet'),
    held('Everywhere', 'Esc', 'Close what is open'),
    ...places.map(({ key, label }) => plain('Go to', ['g', key], label)),
    plain('In lists', ['j'], 'Next row'),
    plain('In lists', ['k'], 'The row before'),
    held('In lists', 'Enter', 'Open it'),
    plain('In lists', ['x'], 'Select it, or not'),
    plain('In lists', ['Shift J'], 'Select down to the next row'),
    plain('In lists', ['Shift K'], 'Select up to the row before'),
    held('In a terminal', 'Ctrl Shift C', 'Copy the selection'),
    held('In a terminal', 'Ctrl Shift F', 'Search the output'),
    held('In a terminal', 'Ctrl Shift Enter', 'Open another shell'),
    held('In a terminal', 'Ctrl Shift 1–9', 'Show that shell'),
  ];
}

/** The table in its sections. */
export function bySection(table: readonly Shortcut[]): readonly (readonly [ShortcutSection, readonly Shortcut[]])[] {
  const sections = [...new Set(table.map(({ section }) => section))];
  return sections.map((section) => [section, table.filter((shortcut) => shortcut.section === section)]);
}

/** What a plain key means; `g` waits for the key of a place. */
export type PlainAction =
  | { readonly kind: 'sequence' }
  | { readonly kind: 'place'; readonly key: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'new' }
  | { readonly kind: 'search' };

export function plainAction(key: string, { isSequence }: { readonly isSequence: boolean }): PlainAction | null {
  if (isSequence) return { kind: 'place', key };
  switch (key) {
    case 'g':
      return { kind: 'sequence' };
    case '?':
      return { kind: 'help' };
    case 'n':
      return { kind: 'new' };
    case '/':
      return { kind: 'search' };
    default:
      return null;
  }
}
