/** What somebody typed as one term of a search, whatever words, colons and quotes are in it. */
export function freeTextQuery(text: string): string {
  const cleaned = text.replaceAll('"', ' ').trim();
  return cleaned === '' ? '' : `search:"${cleaned}"`;
}
