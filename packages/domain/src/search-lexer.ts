import type { Validation } from '@berth/core';

/** Longest search that is read. */
export const SEARCH_LENGTH = 4096;

/** A word of a search: `key:value` with the key in lower case, or free text (key null). Values keep their case. */
export interface SearchTerm {
  readonly key: string | null;
  readonly value: string;
}

export type LexedSearch =
  | { readonly ok: true; readonly terms: readonly SearchTerm[] }
  | { readonly ok: false; readonly problems: readonly Validation[] };

/**
 * Splits a search into terms: by spaces, then each at its colon; double quotes keep spaces and colons together. Every problem is about
 * the field `q`, and all are reported at once.
 */
export function lexSearch(query: string): LexedSearch {
  if (query.length > SEARCH_LENGTH) return { ok: false, problems: [problem(`Must have at most ${SEARCH_LENGTH} characters.`)] };
  if (query.includes('\0')) return { ok: false, problems: [problem('Must not contain NUL characters.')] };
  if ((query.match(/"/g) ?? []).length % 2 === 1) return { ok: false, problems: [problem('A quotation mark is not closed.')] };
  const terms: SearchTerm[] = [];
  const problems: Validation[] = [];
  for (const element of splitOutsideQuotes(query, ' ')) {
    const term = lexElement(element);
    if (typeof term === 'string') problems.push(problem(term));
    else terms.push(term);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, terms };
}

function lexElement(element: string): SearchTerm | string {
  if (element.startsWith(':') || element.endsWith(':')) return `"${element}" must have text on both sides of its colon.`;
  const parts = splitOutsideQuotes(element, ':').map((part) => part.replaceAll('"', ''));
  const [first = '', second] = parts;
  if (parts.length > 2) return `"${element}" has more than one colon; put quotation marks around a value that holds one.`;
  return second === undefined ? { key: null, value: first } : { key: first.toLowerCase(), value: second };
}

/** The pieces between delimiters that are not in quotes; empty pieces are left out. */
function splitOutsideQuotes(text: string, delimiter: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === delimiter && !isQuoted) {
      if (piece !== '') pieces.push(piece);
      piece = '';
    } else {
      piece += char;
    }
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

function problem(detail: string): Validation {
  return { field: 'q', detail };
}
