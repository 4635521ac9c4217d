/** Something that the command palette can do or open. */
export interface Command {
  /** One of a kind among all that are shown together: "stop:<workspace id>". */
  readonly id: string;
  readonly title: string;
  /** Beside the title: what tells it from others of the same name. */
  readonly detail?: string;
  /** Words that find it too, beside those of title and detail. */
  readonly keywords?: string;
  readonly icon?: React.ReactNode;
  /** Keys that do the same without the palette. */
  readonly keys?: readonly string[];
  readonly run: () => void;
}

/** Commands under one heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Lower case without accents, so that `felix` finds `Félix`. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

export function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

const EXACT = 0;
const BEGINS = 1;
const WORD = 2;
const INSIDE = 3;

/** How well a command answers to some words, from 0 for the very title; null unless it has every one of them. */
export function matchRank(
  { title, detail = '', keywords = '' }: Pick<Command, 'title' | 'detail' | 'keywords'>,
  words: readonly string[],
): number | null {
  const heading = plain(title);
  const all = plain(`${title} ${detail} ${keywords}`);
  if (!words.every((word) => all.includes(word))) return null;
  const [first] = words;
  if (first === undefined) return EXACT;
  if (heading === words.join(' ')) return EXACT;
  if (heading.startsWith(words.join(' '))) return BEGINS;
  return words.every((word) => heading.split(/[\s/·-]+/).some((part) => part.startsWith(word))) ? WORD : INSIDE;
}

/** Those that have every word, the best match first; in their own order among equals. */
export function matching<C extends Pick<Command, 'title' | 'detail' | 'keywords'>>(commands: readonly C[], words: readonly string[]): C[] {
  return commands
    .flatMap((command) => {
      const rank = matchRank(command, words);
      return rank === null ? [] : [{ command, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}
