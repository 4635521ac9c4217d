export type ReadClaims = { readonly claims: Record<string, unknown> } | { readonly problem: string };

/** Claims as somebody pasted them: a JSON object, or the middle part of a token that one got hold of. */
export function readClaims(text: string): ReadClaims {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'Paste the claims as JSON.' };
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(trimmed)?.[1];
  try {
    const value: unknown = JSON.parse(payload === undefined ? trimmed : decoded(payload));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { problem: 'Claims are a JSON object: { "groups": ["…"] }.' };
    }
    return { claims: { ...value } };
  } catch (error) {
    return { problem: `That is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
}

/** base64url of UTF-8. */
function decoded(part: string): string {
  const bytes = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.codePointAt(0) ?? 0));
}
