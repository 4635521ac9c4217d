import { quoted, termsOf } from '../../ui/query/query-text.ts';

/** The audit search as text and as chips: both are views of the one `q` that the URL holds. */

export const FILTER_KEYS = [
  'resource_type',
  'action',
  'username',
  'organization',
  'build_reason',
  'date_from',
  'date_to',
  'resource_target',
  'resource_id',
  'email',
  'request_id',
  'id',
] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

export interface QueryTerm {
  /** In lower case; empty for free text. */
  readonly key: string;
  readonly value: string;
}

/** The terms of a query. Half-typed text gives what it can. */
export function parseTerms(q: string): QueryTerm[] {
  return termsOf(q).flatMap(({ key, value }) => (value === '' ? [] : [{ key: key ?? '', value }]));
}

export function renderTerms(terms: readonly QueryTerm[]): string {
  return terms.map(({ key, value }) => (key === '' ? quoted(value) : `${key}:${quoted(value)}`)).join(' ');
}

/** What a chip shows: the value of its key, or an empty text. A bare resource type counts as its filter. */
export function filterValue(q: string, key: FilterKey): string {
  const terms = parseTerms(q);
  const named = terms.find((term) => term.key === key);
  if (named !== undefined) return named.value;
  return key === 'resource_type' ? (terms.find((term) => term.key === '')?.value ?? '') : '';
}

/** The query with one filter changed and everything else as it was; an empty value takes the filter away. */
export function withFilter(q: string, key: FilterKey, value: string): string {
  const isSame = (term: QueryTerm): boolean => term.key === key || (key === 'resource_type' && term.key === '');
  const terms = parseTerms(q);
  const place = terms.findIndex(isSame);
  const others = terms.filter((term) => !isSame(term));
  if (value === '') return renderTerms(others);
  const term = { key, value };
  return renderTerms(place === -1 ? [...others, term] : others.toSpliced(place, 0, term));
}
