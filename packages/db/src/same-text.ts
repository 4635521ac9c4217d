/** Prisma compares without case by ILIKE, where these characters mean more than themselves. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/** The filter for text that is equal but for its case, whatever characters it has. */
export function sameText(text: string): { readonly equals: string; readonly mode: 'insensitive' } {
  return { equals: literal(text), mode: 'insensitive' };
}

/** The filter for text that contains `part`, whatever its case and characters. */
export function containing(part: string): { readonly contains: string; readonly mode: 'insensitive' } {
  return { contains: literal(part), mode: 'insensitive' };
}
