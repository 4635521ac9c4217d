/** One word for any shell of POSIX systems (fish too). OpenSSH also looks for pairs of quotes, so there are none. */
export function posixWord(text: string): string {
  return text === '' ? "''" : text.replaceAll(/[^\w./:@+=,%-]/g, (character) => (character > '~' ? character : `\\${character}`));
}

/** One word for Windows; null for what has a quote in it, which no path has there. */
export function windowsWord(text: string): string | null {
  if (text.includes('"')) return null;
  return /^[\w.:@+=,\\-]+$/.test(text) ? text : `"${text}"`;
}
