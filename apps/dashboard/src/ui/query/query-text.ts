import type { AnySearchSpec } from '@berth/domain';
import { parseSearch } from '@berth/domain';
import type { QueryKey, QueryValue } from './query-spec.ts';

/** The text of a query while it is typed: its terms with their places, what may be put in, what is wrong where. */

/** A term of the text, from `start` to `end` (exclusive), as it stands there, quotation marks and all. */
export interface QueryTerm {
  readonly start: number;
  readonly end: number;
  /** In lower case; null for free text. */
  readonly key: string | null;
  /** Where the value begins: behind the colon, or at `start` for free text. */
  readonly valueStart: number;
  /** The value without its quotation marks. */
  readonly value: string;
}

/** The terms of a text, split as the server splits it; half-typed ones, too. */
export function termsOf(text: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const match of text.matchAll(/(?:"[^"]*(?:"|$)|[^ "])+/g)) {
    const [word] = match;
    const colon = colonOf(word);
    const start = match.index;
    const valueStart = colon === -1 ? start : start + colon + 1;
    terms.push({
      start,
      end: start + word.length,
      key: colon === -1 ? null : word.slice(0, colon).replaceAll('"', '').toLowerCase(),
      valueStart,
      value: text.slice(valueStart, start + word.length).replaceAll('"', ''),
    });
  }
  return terms;
}

/** What stands before the caret and may be completed, and the span that a completion replaces. */
export interface Typed {
  readonly start: number;
  readonly end: number;
  /** The key whose value is typed; null while a key or free text is. */
  readonly key: string | null;
  /** What was typed of it, up to the caret. */
  readonly text: string;
}

/** What is being typed at `caret`. Of a key that takes several values by commas it is the last of them. */
export function typedAt(text: string, caret: number, isList: (key: string) => boolean): Typed {
  const term = termsOf(text).find(({ start, end }) => start < caret && caret <= end);
  if (term === undefined) return { start: caret, end: caret, key: null, text: '' };
  if (term.key === null || caret < term.valueStart) {
    const end = term.key === null ? term.end : term.valueStart;
    return { start: term.start, end, key: null, text: text.slice(term.start, caret).replaceAll(/[":]/g, '') };
  }
  const typed = text.slice(term.valueStart, caret);
  const comma = isList(term.key) ? typed.lastIndexOf(',') + 1 : 0;
  return { start: term.valueStart + comma, end: term.end, key: term.key, text: typed.slice(comma).replaceAll('"', '') };
}

/** Something that may be put in the place of what was typed. */
export interface Suggestion {
  /** What is put in: `status:` for a key, `failed` for a value, `status:failed` for a value that was typed without its key. */
  readonly insert: string;
  readonly hint: string;
  /** Nothing more is to be typed of this term. */
  readonly isWhole: boolean;
}

/** Short words would find a value in nearly every set. */
const BARE_VALUE_MIN = 2;

/** What may be put in for the start of a term: keys, and values of closed sets that were typed without their key. */
export function suggestTerms(typed: string, keys: readonly QueryKey[]): Suggestion[] {
  const wanted = typed.toLowerCase();
  const named = keys.filter(({ key }) => key.startsWith(wanted)).map(({ key, hint }) => ({ insert: `${key}:`, hint, isWhole: false }));
  if (wanted.length < BARE_VALUE_MIN) return named;
  const valued = keys.flatMap(({ key, hint, values }) =>
    typeof values === 'object'
      ? values
          .filter(({ value }) => value.toLowerCase().startsWith(wanted))
          .map((one) => ({ insert: `${key}:${quoted(one.value)}`, hint: one.hint ?? hint, isWhole: true }))
      : [],
  );
  return [...named, ...valued];
}

/** What may be put in for a value: what begins with the typed text first, then what has it anywhere, in the value or its hint. */
export function suggestValues(typed: string, values: readonly QueryValue[]): Suggestion[] {
  const wanted = typed.toLowerCase();
  const begins = values.filter(({ value }) => value.toLowerCase().startsWith(wanted));
  const has = values.filter(
    (one) => !begins.includes(one) && (one.value.toLowerCase().includes(wanted) || (one.hint ?? '').toLowerCase().includes(wanted)),
  );
  return [...begins, ...has].map(({ value, hint = '' }) => ({ insert: quoted(value), hint, isWhole: true }));
}

/** The text with a suggestion in the place of what was typed, and where the caret stands then: behind it, ready for what follows. */
export function withSuggestion(text: string, typed: Typed, { insert, isWhole }: Suggestion): { text: string; caret: number } {
  const rest = text.slice(typed.end);
  const space = isWhole && !rest.startsWith(' ') ? ' ' : '';
  const caret = typed.start + insert.length + (isWhole ? 1 : 0);
  return { text: text.slice(0, typed.start) + insert + space + rest, caret };
}

/** A rule that a text breaks, and the span that breaks it. */
export interface QueryProblem {
  readonly start: number;
  readonly end: number;
  readonly detail: string;
}

/** All that is wrong with a text, each at its term; what is about no term is about the whole text. */
export function problemsOf(text: string, rules: AnySearchSpec): QueryProblem[] {
  const parsed = parseSearch(text, rules);
  if (parsed.ok) return [];
  const terms = termsOf(text);
  return parsed.problems.flatMap(({ field, detail }) => {
    const named = terms.filter(({ key }) => key === field);
    const broken = named.length > 0 ? named : terms.filter((term) => isNamedBy(detail, text.slice(term.start, term.end)));
    const spans = broken.length > 0 ? broken : [{ start: 0, end: text.length }];
    return spans.map(({ start, end }) => ({ start, end, detail }));
  });
}

/** A value as it is written in a query: in quotation marks when the text would fall apart without them. */
export function quoted(value: string): string {
  return /[\s:]/.test(value) ? `"${value}"` : value;
}

/** Problems of the text itself quote the word that breaks the rule. */
function isNamedBy(detail: string, word: string): boolean {
  return detail.startsWith(`"${word}"`) || detail.startsWith(`"${word.replaceAll('"', '')}"`);
}

function colonOf(word: string): number {
  let isQuoted = false;
  for (let index = 0; index < word.length; index += 1) {
    if (word[index] === '"') isQuoted = !isQuoted;
    else if (word[index] === ':' && !isQuoted) return index;
  }
  return -1;
}
