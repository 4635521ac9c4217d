import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenedApp, Principal, Services } from '@berth/api/server';
import { AppRefusal, joinStreams, whileAppOpen } from '@berth/api/server';
import { dial, send } from './dial.ts';
import { hasBody, requestHeaders, responseHeaders } from './headers.ts';
import type { Visit } from './visit.ts';

export interface Upgraded {
  readonly visit: Visit;
  readonly opened: OpenedApp;
  readonly principal: Principal;
  readonly authenticate: () => Promise<Principal>;
  readonly socket: Duplex;
  /** What the client sent already behind its request. */
  readonly head: Buffer;
}

/**
 * Passes an upgrade on to its app, and when the app agrees, bytes both ways. Until then nothing of the client is read: an app that refuses
 * gets no second request out of it. The connection ends when the right to it does.
 *
 * @throws AppRefusal as long as nothing was answered.
 */
export async function proxyUpgrade(services: Services, upgraded: Upgraded, signal: AbortSignal): Promise<void> {
  const { visit, opened, socket, head, principal, authenticate } = upgraded;
  const { message } = visit;
  // Over HTTP/2 a client could ask for anything unseen; and an upgrade has no body.
  const isHttp2 = message.headers.upgrade?.toLowerCase().startsWith('h2') === true;
  if (message.method !== 'GET' || hasBody(message) || isHttp2) throw new AppRefusal('bad_request');
  const stream = await dial(services, opened.target, signal);
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  const upstream = send({ stream }, opened.target, {
    method: 'GET',
    path: visit.path ?? '/',
    headers: requestHeaders(services, visit, { isUpgrade: true }),
  });
  const answered = answerOf(upstream);
  upstream.end();
  const { answer, upgrade } = await answered;
  const { facts, grant } = opened;
  const lost = whileAppOpen(services, { request: visit.request, facts, grant, principal, authenticate, signal });
  lost.addEventListener('abort', () => socket.destroy(), { once: true });
  socket.write(headText(answer, visit));
  if (upgrade === null) {
    answer.once('error', () => socket.destroy());
    answer.pipe(socket);
    return;
  }
  if (upgrade.head.length > 0) socket.write(upgrade.head);
  if (head.length > 0) upgrade.stream.write(head);
  joinStreams(socket, upgrade.stream);
}

interface Answered {
  readonly answer: IncomingMessage;
  /** Null when the app refuses to switch protocols. */
  readonly upgrade: { readonly stream: Duplex; readonly head: Buffer } | null;
}

function answerOf(upstream: ClientRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
    upstream.once('upgrade', (answer, stream, head) => resolve({ answer, upgrade: { stream, head } }));
    upstream.once('response', (answer) => resolve({ answer, upgrade: null }));
    upstream.on('error', (error) => reject(new AppRefusal('no_answer', { cause: error })));
    upstream.once('close', () => reject(new AppRefusal('no_answer')));
  });
}

function headText(answer: IncomingMessage, visit: Visit): string {
  const headers = responseHeaders(answer, visit).map(([name, value]) => `${name}: ${value}`);
  if (answer.statusCode !== 101) headers.push('Connection: close');
  return [`HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`, ...headers, '', ''].join('\r\n');
}
