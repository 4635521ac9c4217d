import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenedApp, Principal, Services } from '@berth/api/server';
import { APP_TOKEN_SECONDS, AppRefusal, openApp } from '@berth/api/server';
import { newId } from '@berth/core';
import type { PeerOf } from '../../http/peer.ts';
import { APP_TOKEN_COOKIE, cookieValues, setCookieText } from './cookies.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import type { Answer } from './page.ts';
import { refusalAnswer } from './page.ts';
import { AppConnections } from './pool.ts';
import { proxyRequest } from './proxy.ts';
import { completeSignIn, leadToSignIn } from './sign-in.ts';
import { proxyUpgrade } from './upgrade.ts';
import type { Visit, Visitor } from './visit.ts';
import { isDocument, readVisit } from './visit.ts';
import { identifyVisitor } from './visitor.ts';

/** Serves what is for apps, from the bare messages of Node's server, so that nothing of ours reads a body or adds a header. */
export interface AppServer {
  request(message: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

interface Opened {
  readonly opened: OpenedApp;
  readonly principal: Principal;
  readonly authenticate: () => Promise<Principal>;
}

export function createAppServer(services: Services, peerOf: PeerOf): AppServer {
  const connections = new AppConnections(services);
  return {
    async request(message, response) {
      // Before anything waits: a visitor who leaves meanwhile must not end the process.
      message.on('error', () => undefined);
      response.on('error', () => undefined);
      let visit: Visit | null = null;
      try {
        visit = requireVisit(services, message, peerOf);
        await serveRequest(services, { visit, response, connections });
      } catch (error) {
        if (visit !== null && isNotSignedIn(error) && isDocument(message)) leadToSignIn(services, visit, response);
        else sendAnswer(response, refusalAnswer(services, error, { id: visit?.id ?? newId(), message }));
        message.resume();
      }
    },
    async upgrade(message, socket, head) {
      const gone = new AbortController();
      socket.once('close', () => gone.abort());
      socket.on('error', () => gone.abort());
      let visit: Visit | null = null;
      try {
        visit = requireVisit(services, message, peerOf);
        await proxyUpgrade(services, { visit, socket, head, ...(await open(services, visit)) }, gone.signal);
      } catch (error) {
        if (socket.writable) writeAnswer(socket, refusalAnswer(services, error, { id: visit?.id ?? newId(), message }));
        else socket.destroy();
      }
    },
  };
}

/** Two Host headers are two opinions about whom this is for. */
function requireVisit(services: Services, message: IncomingMessage, peerOf: PeerOf): Visit {
  const visit = readVisit(services, message, peerOf(message));
  if (visit === null) throw new AppRefusal('not_found');
  const hosts = message.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length !== 1) throw new AppRefusal('bad_request', { detail: 'A request has one Host header.' });
  return visit;
}

interface Serving {
  readonly visit: Visit;
  readonly response: ServerResponse;
  readonly connections: AppConnections;
}

async function serveRequest(services: Services, { visit, response, connections }: Serving): Promise<void> {
  const preflight = preflightHeaders(services, visit);
  if (preflight !== null) return void response.writeHead(204, preflight.flat()).end();
  if (await completeSignIn(services, visit, response)) return;
  if (visit.path === null) {
    const [path = '/', query] = (visit.message.url ?? '/').split('?', 2);
    return void response.writeHead(308, { location: `${path}/${query === undefined ? '' : `?${query}`}` }).end();
  }
  const { opened, principal, authenticate } = await open(services, visit);
  // The app's own address may carry a query, which its first page is opened with.
  if (visit.path === '/' && opened.target.query !== '' && isDocument(visit.message)) {
    return void response.writeHead(307, { location: `${visit.request.basePath}${opened.target.query}`, 'cache-control': 'no-store' }).end();
  }
  const headers = [...corsHeaders(services, visit), ...(await tokenHeaders(services, visit, opened))];
  await proxyRequest(services, { visit, opened, principal, authenticate, response, headers, connections });
}

async function open(services: Services, visit: Visit): Promise<Opened> {
  const { request, host, message, peer, id } = visit;
  const { principal, isForeign } = await identifyVisitor(services, visit);
  const tokens = cookieValues(message, APP_TOKEN_COOKIE);
  const facts = { requestId: id, ip: peer.ip, userAgent: message.headers['user-agent'] ?? '' };
  const authenticate = (): Promise<Principal> => identifyVisitor(services, visit).then((visitor: Visitor) => visitor.principal);
  try {
    return { opened: await openApp(services, { request, host, principal, tokens, facts }), principal, authenticate };
  } catch (error) {
    if (isForeign && isNotSignedIn(error)) throw new AppRefusal('foreign_page', { cause: error });
    throw error;
  }
}

function isNotSignedIn(error: unknown): boolean {
  return error instanceof AppRefusal && error.reason === 'not_signed_in';
}

/** For browsers only: programs keep no cookies, and would be sent a new one each time. */
async function tokenHeaders({ settings }: Services, visit: Visit, opened: OpenedApp): Promise<[name: string, value: string][]> {
  if (visit.message.headers['sec-fetch-mode'] === undefined && visit.message.headers.cookie === undefined) return [];
  const token = await opened.token();
  if (token === null) return [];
  const { basePath } = visit.request;
  return [
    ['Set-Cookie', setCookieText(settings, { name: APP_TOKEN_COOKIE, value: token, path: basePath, maxAgeSeconds: APP_TOKEN_SECONDS })],
  ];
}

function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function writeAnswer(socket: Duplex, { status, headers, body }: Answer): void {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' });
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`);
}
