const ORIGIN = 'http://local.invalid';

/**
 * `target` as a path and query of this very site, or undefined when a browser could read it as another one. What comes back is safe to
 * redirect to.
 */
export function localPath(target: unknown): string | undefined {
  if (typeof target !== 'string' || !target.startsWith('/') || target.length > 2000) return undefined;
  // Browsers read "//host" and "/\host" as another site, and strip tabs and line breaks before they look.
  // oxlint-disable-next-line no-control-regex -- finding them is the point
  if (/^\/[/\\]|[\u0000-\u001f\\]/.test(target)) return undefined;
  const url = URL.parse(target, ORIGIN);
  // A path such as "/.//host" becomes "//host" when it is resolved.
  if (url === null || url.origin !== ORIGIN || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
