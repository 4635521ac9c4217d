import type { IncomingMessage } from 'node:http';
import type { Settings } from '@berth/api/server';
import { fastifyCookie } from '@fastify/cookie';

/** Everything that we keep in a browser begins so: no app sees it, sets it or clears it. */
const OURS = /^(?:__host-|__secure-)?berth_/i;

export function isOurCookie(name: string): boolean {
  return OURS.test(name.trim());
}

/** The visitor's cookies without ours; empty when nothing is left. */
export function foreignCookies(header: string | undefined): string {
  return pairsOf(header)
    .filter(({ name }) => !isOurCookie(name))
    .map(({ text }) => text)
    .join('; ');
}

/** All values under a name: a browser may send several, of different paths. */
export function cookieValues({ headers }: IncomingMessage, name: string): string[] {
  return pairsOf(headers.cookie)
    .filter((pair) => pair.name === name)
    .map(({ text }) => text.slice(text.indexOf('=') + 1));
}

function pairsOf(header: string | undefined): { name: string; text: string }[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => ({ name: (text.split('=')[0] ?? '').trim(), text }));
}

const isSecure = ({ accessUrl }: Pick<Settings, 'accessUrl'>): boolean => accessUrl.startsWith('https:');

/**
 * The session on the host of one app. Of that host alone, and not of the whole domain of apps: so it is never sent to the app of somebody
 * else, not even to be stripped there, and behind TLS no app can plant one for another (`__Host-`).
 */
export function appSessionCookieName(settings: Pick<Settings, 'accessUrl'>): string {
  return `${isSecure(settings) ? '__Host-' : ''}berth_app_session`;
}

/** By this an app's host knows the browser again that it sent to sign in. */
export function appStateCookieName(settings: Pick<Settings, 'accessUrl'>): string {
  return `${isSecure(settings) ? '__Host-' : ''}berth_app_state`;
}

/** Not `__Host-`, since on a path it is of that path only. */
export const APP_TOKEN_COOKIE = 'berth_app_token';

export interface OwnCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly maxAgeSeconds: number;
}

export function setCookieText(settings: Pick<Settings, 'accessUrl'>, { name, value, path, maxAgeSeconds }: OwnCookie): string {
  return fastifyCookie.serialize(name, value, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(settings),
    maxAge: maxAgeSeconds,
  });
}
