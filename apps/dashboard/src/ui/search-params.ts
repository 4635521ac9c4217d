/** The URL holds plain text (`?q=owner:me&page=2`), never JSON, so that people can read, write and share it. */

export type SearchRecord = Record<string, unknown>;

export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Empty and absent values are left out. */
export function searchText(search: SearchRecord): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') params.set(key, String(value));
  }
  // A query reads better with its own punctuation, all of which is allowed in a query string.
  const text = params.toString().replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%40', '@').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

export function textParam(value: unknown, max = 2000): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

/** A number counted from 1. */
export function numberParam(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(textParam(value) ?? Number.NaN);
  return Number.isInteger(number) && number >= 1 && number < 10_000_000 ? number : undefined;
}

/** A page counted from 1; the first page is left out of the URL. */
export function pageParam(value: unknown): number | undefined {
  const page = typeof value === 'number' ? value : Number(textParam(value) ?? Number.NaN);
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day, as 2026-03-14. */
export function dayParam(value: unknown): string | undefined {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
