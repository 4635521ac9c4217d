import type { IncomingMessage } from 'node:http';
import type { Services } from '@berth/api/server';
import { isApiKey } from '../../http/caller.ts';
import { foreignCookies, isOurCookie } from './cookies.ts';
import type { Visit } from './visit.ts';

/** Headers that belong to one connection, not to the message; and what frames the body, which each connection does for itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What the app must never see: it could act as its visitor. */
const CREDENTIALS = new Set(['service-session-token', 'service-provisioner-key']);
/** What only we say: where the visitor came from. */
const FORWARDING = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/;
/** What we say ourselves, or as the visitor's proxy said it. */
const REPLACED = new Set(['host', 'cookie', 'content-length', 'expect']);
/** An app speaks to its visitor's browser, never for this server's whole host. */
const OF_THE_HOST = new Set(['strict-transport-security', 'clear-site-data', 'service-worker-allowed', 'public-key-pins']);
/** An app may not offer to be reached past this server. */
const NEVER_ANSWERED = new Set(['alt-svc', 'proxy-authenticate']);

type Pairs = [name: string, value: string][];

function* pairs(raw: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? ''];
}

/** The names that a Connection header takes along. Never what frames or routes the message. */
function namedByConnection(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}

/** Of our own credentials only: an app may have a sign-in of its own, such as a registry or a notebook. */
function isOurAuthorization(value: string): boolean {
  const token = /^bearer +(\S+) *$/i.exec(value)?.[1];
  return token !== undefined && isApiKey(token);
}

/** `Sec-WebSocket-*` as the standard writes it, since there are servers that know no other spelling. */
function spelled(name: string): string {
  const [, rest] = /^sec-websocket-([a-z]+)$/i.exec(name) ?? [];
  return rest === undefined ? name : `Sec-WebSocket-${rest.charAt(0).toUpperCase()}${rest.slice(1).toLowerCase()}`;
}

/**
 * What an app gets of a request: the visitor's headers in their spelling and order, without credentials and cookies of ours, with where it
 * came from. The Host is the one that the visitor asked for, so that an app makes right links and can compare it with Origin.
 */
export function requestHeaders(
  { settings }: Services,
  { message, peer, request }: Visit,
  { isUpgrade }: { readonly isUpgrade: boolean },
): string[] {
  const { headers } = message;
  const named = namedByConnection(headers.connection);
  const kept: Pairs = [['Host', peer.host]];
  for (const [name, value] of pairs(message.rawHeaders)) {
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || CREDENTIALS.has(lower) || REPLACED.has(lower) || FORWARDING.test(lower) || named.has(lower)) continue;
    if (lower === 'authorization' && isOurAuthorization(value)) continue;
    // On our own host this is the token of the dashboard's session; on its own host an app may have one of that name.
    if (lower === 'x-csrf-token' && request.accessMethod === 'path') continue;
    kept.push([spelled(name), value]);
  }
  const cookie = foreignCookies(headers.cookie);
  if (cookie !== '') kept.push(['Cookie', cookie]);
  if (isUpgrade) kept.push(['Connection', 'Upgrade'], ['Upgrade', headers.upgrade ?? '']);
  else if (headers['transfer-encoding'] !== undefined) kept.push(['Transfer-Encoding', 'chunked']);
  else if (headers['content-length'] !== undefined) kept.push(['Content-Length', headers['content-length']]);
  if (headers.expect?.toLowerCase() === '100-continue') kept.push(['Expect', '100-continue']);
  kept.push(
    ['X-Forwarded-For', peer.ip],
    ['X-Forwarded-Host', peer.host],
    ['X-Forwarded-Proto', new URL(settings.accessUrl).protocol.slice(0, -1)],
  );
  return kept.flat();
}

/** Whether a message carries a body, by what frames it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * What a visitor gets of an app's answer: without cookies of our names, without CORS headers (who may read an app from another page, we
 * decide), and below a path of ours without what would speak for the whole host.
 */
export function responseHeaders(answer: IncomingMessage, { request }: Visit): Pairs {
  const named = namedByConnection(answer.headers.connection);
  const isUpgrade = answer.statusCode === 101;
  const kept: Pairs = [];
  for (const [name, value] of pairs(answer.rawHeaders)) {
    const lower = name.toLowerCase();
    if (NEVER_ANSWERED.has(lower) || lower.startsWith('access-control-')) continue;
    if (!isUpgrade && (HOP_BY_HOP.has(lower) || named.has(lower))) continue;
    if (request.accessMethod === 'path' && OF_THE_HOST.has(lower)) continue;
    if (lower === 'set-cookie' && isOurCookie(value.split('=')[0] ?? '')) continue;
    if (lower === 'vary') {
      const names = value.split(',').filter((part) => !/^\s*(?:origin|access-control-request-.*)\s*$/i.test(part));
      if (names.length > 0) kept.push([name, names.join(',').trim()]);
      continue;
    }
    kept.push([name, value]);
  }
  return kept;
}
