import type { Services, Settings } from '@berth/api/server';
import { DomainError } from '@berth/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppUrl } from './app-url.ts';

/** What a page of ours may load: only what this server sends. Styles may be inline, since the component library sets them on elements. */
function contentSecurityPolicy(accessUrl: string): string {
  const { host, protocol } = new URL(accessUrl);
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
  return [
    "default-src 'self'",
    `connect-src 'self' ${socket}`,
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' https: data:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'report-uri /api/v2/csp/reports',
  ].join('; ');
}

const policies = new WeakMap<Settings, string>();

function policyOf(settings: Settings): string {
  const known = policies.get(settings);
  if (known !== undefined) return known;
  const made = contentSecurityPolicy(settings.accessUrl);
  policies.set(settings, made);
  return made;
}

/** Headers that every response carries. Apps of workspaces set their own content policy. */
export function setHeaders({ settings }: Services, request: FastifyRequest, reply: FastifyReply): void {
  // An upgrade that was answered like a plain request is refused, and nobody else would close its connection.
  if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.destroySoon());
  void reply.header('x-request-id', request.id).header('x-berth-version', settings.version);
  void reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'same-origin');
  if (!isAppUrl(request.url)) void reply.header('content-security-policy', policyOf(settings));
}

/** A name or address with an optional port; what else is sent as Host breaks those who make a URL of it. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~-]*)(:\d{1,5})?$/i;

/** Gives every response its headers, and refuses requests for a host that cannot be one. */
export function installHeaders(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(services, request, reply);
    if (!HOST.test(request.headers.host ?? '')) throw new DomainError('invalid', 'The Host header is malformed.');
  });
}
