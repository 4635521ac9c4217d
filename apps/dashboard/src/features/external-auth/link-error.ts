/** Codes of OAuth2 (RFC 6749, section 4.1.2.1) that a person can do something about. */
const SENTENCES: Readonly<Record<string, string>> = {
  access_denied: 'You or the service said no. Link again, and agree when it asks.',
  temporarily_unavailable: 'The service is overloaded. Try again in a few minutes.',
  server_error: 'The service had an error of its own. Try again in a few minutes.',
};

const OTHERWISE = 'Link again. If it stays like that, tell whoever runs this server: its settings of the service may not fit.';

/** What the address says about a link that failed, in words of our own: the address is anybody's, and its text is never shown. */
export function linkErrorAdvice(text: string): string {
  const code = /\(([a-z_]{1,40})\)$/.exec(text)?.[1] ?? text;
  return Object.hasOwn(SENTENCES, code) ? (SENTENCES[code] ?? OTHERWISE) : OTHERWISE;
}
