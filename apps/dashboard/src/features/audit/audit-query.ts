/** The audit search as text and as controls: both are views of the one `q` that the URL holds. */

export const FILTER_KEYS = ['resource_type', 'action', 'username', 'organization', 'build_reason', 'date_from', 'date_to'] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

export interface QueryTerm {
  /** In lower case; empty for free text. */
  readonly key: string;
  readonly value: string;
}

/** The terms of a query, as the server splits it: at spaces and colons that are not in quotes. Half-typed text gives what it can. */
export function parseTerms(q: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const [word] of q.matchAll(/(?:"[^"]*"?|[^\s"])+/g)) {
    const colon = indexOutsideQuotes(word, ':');
    const key = colon === -1 ? '' : word.slice(0, colon).replaceAll('"', '').toLowerCase();
    const value = word.slice(colon + 1).replaceAll('"', '');
    if (value !== '') terms.push({ key, value });
  }
  return terms;
}

export function renderTerms(terms: readonly QueryTerm[]): string {
  return terms.map(({ key, value }) => (key === '' ? quote(value) : `${key}:${quote(value)}`)).join(' ');
}

/** What a control shows: the value of its key, or an empty text. A bare resource type counts as its filter. */
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

function quote(value: string): string {
  return /[\s:]/.test(value) ? `"${value}"` : value;
}

function indexOutsideQuotes(text: string, wanted: string): number {
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') isQuoted = !isQuoted;
    else if (text[index] === wanted && !isQuoted) return index;
  }
  return -1;
}
