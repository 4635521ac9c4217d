import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppTarget, Principal, Services } from '@berth/api/server';
import { csrfCookieName, reportOf, resolveApp, sessionCookieName, waitForTunnel, whilePermitted } from '@berth/api/server';
import { DomainError, notFound, unauthenticated } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { parseAppUrl } from '../http/app-url.ts';
import { callerOf, identify, requireSameOrigin } from '../http/caller.ts';

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What the app must never see: it could act as its visitor. */
const CREDENTIALS = new Set(['service-session-token', 'service-provisioner-key', 'x-csrf-token', 'authorization']);

/** The visitor's cookies without ours. */
function foreignCookies(services: Services, cookie: string | undefined): string | undefined {
  const own = new Set([sessionCookieName(services.settings), csrfCookieName(services.settings)]);
  const kept = (cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !own.has(part.split('=')[0] ?? ''));
  return kept.length === 0 ? undefined : kept.join('; ');
}

function forwardedHeaders(
  services: Services,
  headers: IncomingHttpHeaders,
  { isUpgrade, ip }: { isUpgrade: boolean; ip: string },
): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.has(name) && !CREDENTIALS.has(name) && name !== 'cookie' && (isUpgrade || !named.has(name)),
  );
  const cookie = foreignCookies(services, headers.cookie);
  return {
    ...Object.fromEntries(kept),
    ...(cookie === undefined ? {} : { cookie }),
    ...(isUpgrade ? { connection: 'Upgrade', upgrade: headers.upgrade } : {}),
    'x-forwarded-for': ip,
    'x-forwarded-host': headers.host,
    'x-forwarded-proto': new URL(services.settings.accessUrl).protocol.slice(0, -1),
  };
}

/** A response of the app may not set or clear our cookies. */
function responseHeaders(services: Services, headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const own = [sessionCookieName(services.settings), csrfCookieName(services.settings)];
  const cookies = headers['set-cookie']?.filter((cookie) => !own.includes(cookie.split('=')[0]?.trim() ?? ''));
  const kept = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.has(name) && name !== 'set-cookie' && name !== 'service-worker-allowed',
  );
  return { ...Object.fromEntries(kept), ...(cookies === undefined ? {} : { 'set-cookie': cookies }) };
}

/** An agent that just lost its connection is back within seconds; a page load waits that long. */
const RECONNECT_MS = 5_000;

async function connect(services: Services, target: AppTarget, signal: AbortSignal): Promise<Duplex> {
  const tunnel = await waitForTunnel(services, target.agentId, { timeoutMs: RECONNECT_MS, signal });
  return tunnel.connectTcp(target.port, { signal });
}

/** An HTTP request to the app, over a connection through the tunnel. */
function send(
  stream: Duplex,
  target: AppTarget,
  message: { method: string; path: string; headers: OutgoingHttpHeaders },
): ReturnType<typeof httpRequest> {
  return httpRequest({
    // Without an agent, so that Node uses this very stream and never opens a connection of its own.
    createConnection: () => stream,
    method: message.method,
    path: `${target.basePath}${message.path}`.replace(/^\/{2,}/, '/'),
    headers: { ...message.headers, host: `${target.host}:${target.port}` },
  });
}

/** Path apps: HTTP through the agent's tunnel. Who may open one is asked on each request. */
export function mountApps(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload));
    scope.all('/@*', async (request, reply) => {
      const path = parseAppUrl(request.url);
      // Everything else under `/@` is a page of the dashboard.
      if (path === null) return reply.callNotFound();
      if (path.rest === null) return reply.redirect(request.url.replace(/(\?|$)/, '/$1'), 308);
      const abort = new AbortController();
      // Of the response: a request is closed as soon as its body was read.
      reply.raw.once('close', () => abort.abort());
      const principal = await identify(services, request, { isForApp: true });
      if (principal.kind === 'anonymous' && request.headers.accept?.includes('text/html') === true) {
        return reply.redirect(`/login?redirect=${encodeURIComponent(request.url)}`, 303);
      }
      const target = await resolveApp(services, principal, path);
      const stream = await connect(services, target, abort.signal);
      const upstream = send(stream, target, {
        method: request.method,
        path: path.rest,
        headers: forwardedHeaders(services, request.headers, { isUpgrade: false, ip: request.ip }),
      });
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        upstream.once('response', resolve);
        upstream.once('error', (error) => reject(new DomainError('unavailable', 'The app did not answer.', { cause: error })));
      });
      const sent = pipeline(request.raw, upstream).catch(() => abort.abort());
      const response = await answered;
      reply.hijack();
      reply.raw.writeHead(response.statusCode ?? 502, responseHeaders(services, response.headers));
      await pipeline(response, reply.raw).catch(() => stream.destroy());
      await sent;
      return reply;
    });
  });
}

/** Upgrades to an app: after the same questions, bytes both ways. */
export async function proxyAppUpgrade(services: Services, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const abort = new AbortController();
  socket.once('close', () => abort.abort());
  socket.on('error', () => abort.abort());
  try {
    const path = parseAppUrl(request.url ?? '');
    if (path?.rest === undefined || path.rest === null) throw notFound();
    const caller = callerOf(request);
    requireSameOrigin(caller, services);
    const authenticate = (): Promise<Principal> => identify(services, caller, { isForApp: true });
    const principal = await authenticate();
    const target = await resolveApp(services, principal, path);
    if (principal.kind !== 'user') throw unauthenticated();
    // Bytes flow without being asked about; the connection ends when the right to it does.
    const permitted = whilePermitted(
      { services, principal, authenticate },
      { action: 'application_connect', object: target.object, signal: abort.signal },
    );
    permitted.signal.addEventListener('abort', () => socket.destroy(), { once: true });
    const stream = await connect(services, target, abort.signal);
    const upstream = send(stream, target, {
      method: 'GET',
      path: path.rest,
      headers: forwardedHeaders(services, request.headers, { isUpgrade: true, ip: caller.ip }),
    });
    upstream.once('upgrade', (response, inner, innerHead) => {
      const lines = [`HTTP/1.1 101 Switching Protocols`];
      for (let at = 0; at < response.rawHeaders.length; at += 2) lines.push(`${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (innerHead.length > 0) socket.write(innerHead);
      if (head.length > 0) inner.write(head);
      inner.on('error', () => socket.destroy());
      socket.once('close', () => inner.destroy());
      inner.once('close', () => socket.destroy());
      inner.pipe(socket);
      socket.pipe(inner);
    });
    upstream.once('response', (response) => {
      socket.end(`HTTP/1.1 ${response.statusCode ?? 502} ${response.statusMessage ?? ''}\r\nconnection: close\r\n\r\n`);
      stream.destroy();
    });
    upstream.once('error', () => socket.destroy());
    upstream.end();
  } catch (error) {
    const report = reportOf(error);
    if (report.kind === 'internal') services.log.error({ err: error }, 'an app could not be reached');
    socket.end(
      `HTTP/1.1 ${report.status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${JSON.stringify({ message: report.message })}`,
    );
  }
}
