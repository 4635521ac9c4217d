import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Principal, Services } from '@berth/api/server';
import { csrfTokenMatches, parseApiKey, sessionCookieName } from '@berth/api/server';
import { DomainError, newId, unauthenticated } from '@berth/core';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import { isFromOwnPage, isOwnHost } from './own-host.ts';
import type { Peer } from './peer.ts';

/** What is read of a request to know its caller; Fastify's requests have it. */
export interface CallerFacts {
  readonly id: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly ip: string;
  /** Name and port that the client asked for, by its trusted proxy's word if it has one. */
  readonly host: string;
}

/** The same facts of a request that did not come through Fastify's routes; `peer` where trusted proxies were asked about it. */
export function callerOf(request: IncomingMessage, peer?: Peer): CallerFacts {
  return {
    id: newId(),
    method: request.method ?? 'GET',
    headers: request.headers,
    cookies: fastifyCookie.parse(request.headers.cookie ?? ''),
    ip: peer?.ip ?? request.socket.remoteAddress ?? '',
    host: peer?.host ?? request.headers.host ?? '',
  };
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Where a request carries its credential: a cookie is sent by the browser unasked, so it needs a CSRF token or an Origin check. */
interface Credential {
  readonly token: string;
  readonly fromCookie: boolean;
}

function header(request: Pick<CallerFacts, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return parseApiKey(text) !== null;
}

/** The credential that a program sends on purpose, as opposed to a cookie. */
export function explicitToken(request: CallerFacts): string | undefined {
  return header(request, 'service-session-token') ?? bearerKey(request);
}

/** An API key as OAuth2 clients send it (RFC 6750). Other bearer tokens are for others: an app, or an identity provider's calls. */
function bearerKey(request: CallerFacts): string | undefined {
  const token = /^bearer +(\S+) *$/i.exec(header(request, 'authorization') ?? '')?.[1];
  return token === undefined || !isApiKey(token) ? undefined : token;
}

/** A header wins over the cookie: who sends one means it. */
function credentialOf(request: CallerFacts, services: Services): Credential | null {
  const token = explicitToken(request);
  if (token !== undefined) return { token, fromCookie: false };
  const cookie = request.cookies[sessionCookieName(services.settings)];
  return cookie === undefined || cookie === '' ? null : { token: cookie, fromCookie: true };
}

/** Refuses an unsafe request that a foreign page could have made a browser send. */
function requireCsrfToken(request: CallerFacts, services: Services, credential: Credential): void {
  if (!credential.fromCookie || SAFE_METHODS.has(request.method)) return;
  const keyId = parseApiKey(credential.token)?.id;
  const token = header(request, 'x-csrf-token');
  if (keyId === undefined || token === undefined || !csrfTokenMatches(services.settings, keyId, token)) {
    throw new DomainError('invalid', 'The CSRF token is missing or wrong.', {
      detail: 'A request with a session cookie must repeat the value of the CSRF cookie in the X-CSRF-TOKEN header.',
    });
  }
}

/** Refuses a WebSocket that a foreign page opened with the browser's cookie. */
export function requireSameOrigin(request: Pick<CallerFacts, 'headers' | 'host'>, services: Services): void {
  if (isFromOwnPage(request, services.settings.accessUrl)) return;
  throw new DomainError('forbidden', 'This WebSocket was opened by a page of another site.');
}

/**
 * Refuses what a browser sends on behalf of a foreign page. Without a credential too: signing someone in unasked, or making the first
 * account of a server on their own machine, is an attack as well.
 */
function requireOwnPage(request: CallerFacts, services: Services, credential: Credential | null): void {
  const { accessUrl } = services.settings;
  const detail = `Browsers reach this server at ${accessUrl}. If you use another name for it, set BERTH_ACCESS_URL.`;
  if (!SAFE_METHODS.has(request.method) && !isFromOwnPage(request, accessUrl)) {
    throw new DomainError('invalid', 'This request was made by a page of another site.', { detail });
  }
  if (credential !== null && !isOwnHost(request.host, accessUrl)) {
    throw new DomainError('invalid', 'This server does not take sessions under this host name.', { detail });
  }
}

/**
 * Who makes this request. A credential that is not valid is nobody's; procedures that need somebody answer 401. Throws on a cookie
 * without its CSRF token, and on what a browser sends for a page of another site. Apps of workspaces know no CSRF token: for them the
 * page's origin decides alone (`isForApp`).
 */
export async function identify(services: Services, request: CallerFacts, { isForApp = false } = {}): Promise<Principal> {
  const provisionerKey = header(request, 'service-provisioner-key');
  const credential = credentialOf(request, services);
  if (provisionerKey === undefined && (credential === null || credential.fromCookie)) requireOwnPage(request, services, credential);
  // Daemons in the field send the session of whoever started them along with their key; the key counts.
  if (provisionerKey !== undefined) {
    const principal = await services.authenticator.byProvisionerKey(provisionerKey);
    if (principal === null) throw unauthenticated('The provisioner key is not known.');
    return principal;
  }
  if (credential === null) return { kind: 'anonymous' };
  const principal = await services.authenticator.byToken(credential.token, request.ip);
  if (principal === null) return { kind: 'anonymous' };
  if (!isForApp) requireCsrfToken(request, services, credential);
  return principal;
}

/** The context of one request on either door. */
export function contextOf(services: Services, request: CallerFacts, reply: FastifyReply | null): Context {
  const isSecure = services.settings.accessUrl.startsWith('https:');
  return {
    services,
    authenticate: () => identify(services, request),
    request: { requestId: request.id, ip: request.ip, userAgent: header(request, 'user-agent') ?? '' },
    response: {
      setCookie({ name, value, httpOnly, maxAgeSeconds }) {
        void reply?.setCookie(name, value, { httpOnly, path: '/', sameSite: 'lax', secure: isSecure, maxAge: maxAgeSeconds });
      },
    },
  };
}
