import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { OpenedApp, Principal, Services } from '@berth/api/server';
import { AppRefusal, whileAppOpen } from '@berth/api/server';
import type { Way } from './dial.ts';
import { dial, send } from './dial.ts';
import { hasBody, requestHeaders, responseHeaders } from './headers.ts';
import type { AppConnections } from './pool.ts';
import type { Visit } from './visit.ts';

/** What takes no longer than this was asked about when it began, which is enough. */
const LONG_MS = 2_000;
/** How long what an app did not want to read is read and thrown away, so that its answer arrives. */
const UNWANTED_BODY_MS = 10_000;
/** Made once: an exception of its own for each request that is over costs more than the rest of its end. */
const LEFT = new Error('the exchange is over');

export interface Proxied {
  readonly visit: Visit;
  readonly opened: OpenedApp;
  readonly principal: Principal;
  readonly authenticate: () => Promise<Principal>;
  readonly response: ServerResponse;
  readonly connections: AppConnections;
  /** Headers of ours, beside the app's. */
  readonly headers: readonly [name: string, value: string][];
}

/**
 * Passes a request on to its app and the answer back, both as they come: nothing is kept, so neither is bounded, and a slow reader slows
 * the writer. Who leaves takes the other end along; an answer that breaks off is broken off here too. A long one ends when the right does.
 */
export async function proxyRequest(services: Services, proxied: Proxied): Promise<void> {
  const { visit, response } = proxied;
  const abort = new AbortController();
  response.once('close', () => abort.abort(LEFT));
  const { upstream, answer } = await exchange(services, proxied, abort.signal);
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [...responseHeaders(answer, visit), ...proxied.headers].flat());
  // The head at once: the first line of a stream of events may be a long time off.
  response.flushHeaders();
  const watch = setTimeout(() => watchLong(services, proxied, { upstream, signal: abort.signal }), LONG_MS);
  try {
    await pipeline(answer, response);
  } catch {
    // Whoever broke off, the other end learns of it by a connection that breaks off.
    upstream.destroy();
    response.destroy();
  } finally {
    clearTimeout(watch);
    dropUnwanted(visit.message);
  }
}

interface Exchange {
  readonly upstream: ClientRequest;
  readonly answer: IncomingMessage;
}

/** Asks the app. What only reads goes over a connection that is used again, and once more if the app has just closed that one. */
async function exchange(services: Services, proxied: Proxied, signal: AbortSignal): Promise<Exchange> {
  const { message } = proxied.visit;
  const isRead = (message.method === 'GET' || message.method === 'HEAD') && !hasBody(message);
  if (isRead) {
    const agent = proxied.connections.agentFor(proxied.opened.target, proxied.principal);
    const upstream = begin(services, proxied, { agent }, signal);
    try {
      return { upstream, answer: await answerOf(upstream) };
    } catch (error) {
      if (!upstream.reusedSocket || signal.aborted) throw error;
    }
  }
  const upstream = begin(services, proxied, { stream: await dial(services, proxied.opened.target, signal) }, signal);
  return { upstream, answer: await answerOf(upstream) };
}

function begin(services: Services, { visit, opened, response }: Proxied, way: Way, signal: AbortSignal): ClientRequest {
  const { message } = visit;
  const upstream = send(way, opened.target, {
    method: message.method ?? 'GET',
    path: visit.path ?? '/',
    headers: requestHeaders(services, visit, { isUpgrade: false }),
  });
  const leave = (): void => void upstream.destroy();
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  upstream.on('continue', () => response.writeContinue());
  passBody(message, upstream);
  return upstream;
}

/** @throws AppRefusal no_answer when the connection ends, or speaks no HTTP, before there is an answer. */
async function answerOf(upstream: ClientRequest): Promise<IncomingMessage> {
  const answered: Promise<IncomingMessage[]> = once(upstream, 'response');
  try {
    const [answer] = await answered;
    if (answer === undefined) throw new Error('an answer without a message');
    // From here on, what breaks is seen by the answer.
    upstream.on('error', () => undefined);
    return answer;
  } catch (error) {
    upstream.on('error', () => undefined);
    if (error instanceof AppRefusal) throw error;
    throw new AppRefusal('no_answer', { detail: 'It closed the connection, or does not speak HTTP on this port.', cause: error });
  }
}

/** An app may answer before it has read everything, or without reading at all: then the rest has nowhere to go. */
function passBody(message: IncomingMessage, upstream: ClientRequest): void {
  if (!hasBody(message)) {
    upstream.end();
    return;
  }
  upstream.once('close', () => message.unpipe(upstream));
  message.once('aborted', () => upstream.destroy());
  message.once('error', () => upstream.destroy());
  message.pipe(upstream);
}

function dropUnwanted(message: IncomingMessage): void {
  if (message.complete || message.destroyed) return;
  message.resume();
  const timer = setTimeout(() => message.destroy(), UNWANTED_BODY_MS);
  timer.unref();
  message.once('close', () => clearTimeout(timer));
}

function watchLong(
  services: Services,
  { visit, opened, principal, authenticate, response }: Proxied,
  { upstream, signal }: { readonly upstream: ClientRequest; readonly signal: AbortSignal },
): void {
  if (signal.aborted) return;
  const { facts, grant } = opened;
  const lost = whileAppOpen(services, { request: visit.request, facts, grant, principal, authenticate, signal });
  lost.addEventListener(
    'abort',
    () => {
      upstream.destroy();
      response.destroy();
    },
    { once: true },
  );
}
