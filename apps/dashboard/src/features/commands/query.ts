import { wordsOf } from './command.ts';

/** What is typed into the palette: maybe something to do first, and what to do it with. */
export interface PaletteQuery {
  readonly words: readonly string[];
  readonly verb: Verb | null;
  /** What to look for on the server: without the verb. */
  readonly subject: string;
}

const WORKSPACE_VERBS = ['start', 'stop', 'restart', 'update', 'terminal', 'ssh', 'open'] as const;
export type Verb = 'workspace' | 'template';

const SUBJECT_MAX = 100;

/** The first word may say what to do: `stop api`, `new node-web`. */
export function readQuery(text: string): PaletteQuery {
  const words = wordsOf(text);
  const [first = ''] = words;
  const verb: Verb | null = WORKSPACE_VERBS.some((known) => known === first)
    ? 'workspace'
    : first === 'new' || first === 'create'
      ? 'template'
      : null;
  // The words as typed: the server compares accents.
  const typed = text.split(/\s+/).filter((word) => word !== '');
  const subject = (verb === null ? typed : typed.slice(1)).join(' ').slice(0, SUBJECT_MAX);
  return { words, verb, subject };
}

/**
 * The longest word of a text, as a free term of a search. The server looks for a part of a name: several words, as they stand in a
 * title, would find nothing. Whoever asks narrows the answer down by the other words.
 */
export function freeTerm(text: string): string {
  const words = text.split(/[\s"\0]+/);
  const longest = words.reduce((known, word) => (word.length > known.length ? word : known), '');
  return longest === '' ? '' : `"${longest}"`;
}
