import type { Settings } from '@berth/api/server';
import { parseAppHost } from '@berth/api/server';
import { hostName } from '../../http/app-host.ts';
import type { Visit } from './visit.ts';

/** A page of our own server, of another app of the same owner, or of anybody else. */
export type PageKind = 'none' | 'same' | 'sibling' | 'foreign';

/**
 * The page on the host of an app that made a browser send this, if a page did. Apps of one owner trust each other; the apps of different
 * owners are as strange to each other as any two sites, although browsers take all of them for one site and send cookies along.
 */
export function pageOf(settings: Pick<Settings, 'wildcardHost'>, { message, host, request }: Visit): PageKind {
  const { headers } = message;
  const origin = headers.origin ?? (isSubresource(headers) ? originOfReferrer(headers.referer) : undefined);
  if (origin === undefined) return 'none';
  const page = URL.parse(origin);
  if (page === null || settings.wildcardHost === null) return 'foreign';
  if (hostName(page.host) === host) return 'same';
  return parseAppHost(page.host, settings.wildcardHost)?.owner === request.owner ? 'sibling' : 'foreign';
}

/** Images and scripts of other pages carry no Origin, and newer browsers say that another page is where they are wanted. */
function isSubresource(headers: Visit['message']['headers']): boolean {
  const site = headers['sec-fetch-site'];
  return (site === 'same-site' || site === 'cross-site') && headers['sec-fetch-mode'] !== 'navigate';
}

function originOfReferrer(referrer: string | undefined): string {
  return URL.parse(referrer ?? '')?.origin ?? 'null';
}
