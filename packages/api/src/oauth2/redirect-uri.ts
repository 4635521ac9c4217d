/** A loopback redirect of a native app (RFC 8252 section 7.3), in the parts before and after its port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/**
 * Whether an application registered with `callbackUrl` may be answered at `redirectUri`. The texts must be equal, character by
 * character. Only for public clients, and only on the loopback addresses themselves, may the port differ: a native app takes whatever
 * port is free.
 */
export function redirectUriMatches(redirectUri: string, { callbackUrl, clientType }: { callbackUrl: string; clientType: string }): boolean {
  if (redirectUri === callbackUrl) return true;
  if (clientType !== 'public') return false;
  const [asked, registered] = [LOOPBACK.exec(redirectUri), LOOPBACK.exec(callbackUrl)];
  return asked !== null && registered !== null && asked[1] === registered[1] && asked[2] === registered[2];
}

/** The redirect with the answer's parameters in its query; what the application had there stays as it was. */
export function redirectWith(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
