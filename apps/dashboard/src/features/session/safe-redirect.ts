/**
 * The path to go to after sign-in, if it is one of this dashboard: a path and query on the same origin, never another site's. Anything
 * else is undefined.
 */
export function safeRedirect(target: unknown): string | undefined {
  if (typeof target !== 'string' || !target.startsWith('/') || target.length > 2000) return undefined;
  // Browsers read "//host" and "/\host" as another site, and strip tabs and line breaks before they look.
  // oxlint-disable-next-line no-control-regex -- finding them is the point
  if (/^\/[/\\]|[\u0000-\u001f\\]/.test(target)) return undefined;
  const origin = 'http://berth.invalid';
  const url = URL.parse(target, origin);
  // A path such as "/.//host" becomes "//host" when it is resolved.
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  if (url.pathname === '/login' || url.pathname === '/setup') return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
