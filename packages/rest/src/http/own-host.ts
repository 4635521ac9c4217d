import { isIP } from 'node:net';
import type { CallerFacts } from './caller.ts';

/**
 * Whether a browser that asks for this host can only mean us: the access URL's host, this machine, or a bare address. Any other name may
 * be a foreign site's that resolves to our address, so that its pages count as ours for the browser (DNS rebinding).
 */
export function isOwnHost(host: string, accessUrl: string): boolean {
  if (host === new URL(accessUrl).host) return true;
  const url = URL.parse(`http://${host}`);
  if (url === null || url.host !== host.toLowerCase().replace(/:80$/, '')) return false;
  const name = url.hostname;
  // No name below `localhost`: those are apps of workspaces, or whatever else this machine serves under them.
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether the page that made the browser send this is ours. True for programs, which send no Origin. */
export function isFromOwnPage({ headers, host }: Pick<CallerFacts, 'headers' | 'host'>, accessUrl: string): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  const page = URL.parse(origin)?.host ?? '';
  return page !== '' && (page === new URL(accessUrl).host || (page === host.toLowerCase() && isOwnHost(host, accessUrl)));
}
