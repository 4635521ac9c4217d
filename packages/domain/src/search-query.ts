import type { Validation } from '@berth/core';
import { isUuid } from '@berth/core';
import type { SearchTerm } from './search-lexer.ts';
import { lexSearch } from './search-lexer.ts';

/** Most values of one list key. */
const SEARCH_LIST_LENGTH = 100;

/** Reads the text of one value; answers what it means, or says what it must be. */
export type SearchReader<T> = (text: string) => { readonly value: T } | { readonly problem: string };

/** One key of a search. */
export interface SearchKey<T> {
  /** As it is written in a search. */
  readonly key: string;
  /** Combines the texts that were given for the key, in order; a single-valued key gets exactly one. */
  readonly read: (texts: readonly string[]) => { readonly value: T } | { readonly problem: string };
  readonly isList: boolean;
}

/** The keys of one search, by the name of the result's property, and what free text stands for. */
export interface SearchSpec<K extends Readonly<Record<string, SearchKey<unknown>>>> {
  readonly keys: K;
  /** Turns a free word into key-value terms. */
  readonly freeText: (text: string) => readonly SearchTerm[] | { readonly problem: string };
}

export type AnySearchSpec = SearchSpec<Readonly<Record<string, SearchKey<unknown>>>>;

type ResultOf<K> = { readonly [P in keyof K]?: K[P] extends SearchKey<infer T> ? T : never };
/** What a search means: a property for each key that it gives. All of them must hold. */
export type SearchOf<S> = S extends SearchSpec<infer K> ? ResultOf<K> : never;

export type ParsedSearch<S> =
  | { readonly ok: true; readonly search: SearchOf<S> }
  | { readonly ok: false; readonly problems: readonly Validation[] };

/**
 * Reads a search by its spec, or says all that is wrong with it: problems of the text name the field `q`, problems of a value name its
 * key. Unknown keys, and a second value for a key that takes one, are problems.
 */
export function parseSearch<S extends AnySearchSpec>(query: string, spec: S): ParsedSearch<S> {
  const lexed = lexSearch(query);
  if (!lexed.ok) return lexed;
  const problems: Validation[] = [];
  const given = new Map<string, string[]>();
  for (const { key, value } of expandFreeText(lexed.terms, spec, problems)) {
    given.set(key, [...(given.get(key) ?? []), value]);
  }

  const search: Record<string, unknown> = {};
  for (const [property, searchKey] of Object.entries(spec.keys)) {
    const texts = given.get(searchKey.key);
    given.delete(searchKey.key);
    if (texts === undefined) continue;
    const result = readKey(searchKey, texts);
    if ('problem' in result) problems.push({ field: searchKey.key, detail: result.problem });
    else search[property] = result.value;
  }
  const known = Object.values(spec.keys).map(({ key }) => key);
  for (const key of given.keys()) problems.push({ field: key, detail: `"${key}" is not a search key. There are: ${known.join(', ')}.` });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, search: search as SearchOf<S> };
}

function* expandFreeText(
  terms: readonly SearchTerm[],
  spec: AnySearchSpec,
  problems: Validation[],
): Generator<{ key: string; value: string }> {
  for (const { key, value } of terms) {
    if (key !== null) {
      yield { key, value };
      continue;
    }
    const meant = spec.freeText(value);
    if ('problem' in meant) {
      problems.push({ field: 'q', detail: meant.problem });
      continue;
    }
    for (const term of meant) if (term.key !== null) yield { key: term.key, value: term.value };
  }
}

function readKey(searchKey: SearchKey<unknown>, texts: readonly string[]): { value: unknown } | { problem: string } {
  if (!searchKey.isList && texts.length > 1) return { problem: 'Can be given only once.' };
  if (texts.some((text) => text === '')) return { problem: 'Needs a value.' };
  return searchKey.read(texts);
}

/** A key that takes one value. */
export function single<T>(key: string, reader: SearchReader<T>): SearchKey<T> {
  return { key, isList: false, read: ([text = '']) => reader(text) };
}

/** A key that takes several: by commas, by repetition, or both. */
export function list<T>(key: string, reader: SearchReader<T>): SearchKey<readonly T[]> {
  return {
    key,
    isList: true,
    read: (texts) => {
      const items = texts.flatMap((text) => text.split(',')).filter((item) => item !== '');
      if (items.length === 0) return { problem: 'Needs a value.' };
      if (items.length > SEARCH_LIST_LENGTH) return { problem: `Takes at most ${SEARCH_LIST_LENGTH} values.` };
      const values: T[] = [];
      const problems: string[] = [];
      for (const item of items) {
        const result = reader(item);
        if ('problem' in result) problems.push(result.problem);
        else values.push(result.value);
      }
      return problems.length > 0 ? { problem: [...new Set(problems)].join(' ') } : { value: values };
    },
  };
}

/** Any text, in its own case. */
export const text: SearchReader<string> = (value) => ({ value });

/** A UUID, in lower case. */
export const uuidText: SearchReader<string> = (value) =>
  isUuid(value) ? { value: value.toLowerCase() } : { problem: `"${value}" is not a UUID.` };

/** One of a closed set of values, whatever its case. */
export function oneOf<const T extends string>(values: readonly T[]): SearchReader<T> {
  return (given) => {
    const found = values.find((value) => value === given.toLowerCase());
    return found === undefined ? { problem: `"${given}" is not one of: ${values.join(', ')}.` } : { value: found };
  };
}

const TRUE: readonly string[] = ['1', 't', 'true'];
const FALSE: readonly string[] = ['0', 'f', 'false'];

export const bool: SearchReader<boolean> = (value) => {
  const lower = value.toLowerCase();
  if (TRUE.includes(lower)) return { value: true };
  return FALSE.includes(lower) ? { value: false } : { problem: `"${value}" is not true or false.` };
};

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** An instant such as `"2024-01-02T03:04:05Z"`; the quotation marks are needed for its colons. Read to the millisecond. */
export const timestamp: SearchReader<Date> = (value) => {
  const problem = `"${value}" is not a time such as "2024-01-02T03:04:05Z" (with the quotation marks).`;
  const day = TIMESTAMP.exec(value)?.[1];
  if (day === undefined || dayOf(day) === null) return { problem };
  const instant = new Date(value.toUpperCase());
  return Number.isNaN(instant.getTime()) ? { problem } : { value: instant };
};

/** The first instant of a day in UTC. */
const dayStart: SearchReader<Date> = (value) => {
  const day = dayOf(value);
  return day === null ? { problem: `"${value}" is not a day such as 2024-01-31.` } : { value: day };
};

/** The first instant after a day in UTC, so that `time < value` includes the whole day. */
const dayEnd: SearchReader<Date> = (value) => {
  const start = dayStart(value);
  return 'problem' in start ? start : { value: new Date(start.value.getTime() + 86_400_000) };
};

const DAY_OR_TIME = (value: string): string => `"${value}" is neither a day such as 2024-01-31 nor a time such as "2024-01-02T03:04:05Z".`;

/** Where a span begins: a day in UTC, or an instant. */
export const spanStart: SearchReader<Date> = (value) => either(value, dayStart);

/** Where a span ends, exclusively: after a day in UTC, or at an instant. */
export const spanEnd: SearchReader<Date> = (value) => either(value, dayEnd);

function either(value: string, readDay: SearchReader<Date>): ReturnType<SearchReader<Date>> {
  const day = readDay(value);
  const result = 'problem' in day ? timestamp(value) : day;
  return 'problem' in result ? { problem: DAY_OR_TIME(value) } : result;
}

/** Null for days that the calendar does not have. */
function dayOf(value: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const day = new Date(`${value}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value ? null : day;
}
