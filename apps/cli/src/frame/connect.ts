import { createClient } from '@berth/client';
import type { Client } from '@berth/client';
import { CliError, EXIT, notSignedIn, unreachable } from './errors.ts';
import type { Io } from './io.ts';
import type { SessionStore } from './sessions.ts';
import { serverUrl } from './sessions.ts';
import { VERSION } from './version.ts';

/** A call that is not answered by then has failed. */
const ANSWER_MS = 60_000;

/** The way to a server as a signed-in person. */
export interface Session {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** `fetch` of a path of the server, such as `/api/v2/files/…`, with the credential. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The same for an answer of any length: it may take its time, and fails when nothing of it comes for a minute. */
  stream(path: string): Promise<Response>;
}

export interface Address {
  readonly url: string | undefined;
  readonly token: string | undefined;
}

/** The server that is meant: `--url`, else `BERTH_URL`, else the one that was signed in to last. */
export function chosenUrl(io: Io, store: SessionStore, given: Address): string {
  const named = given.url ?? io.env.BERTH_URL ?? '';
  const url = named === '' ? store.currentUrl() : serverUrl(named);
  if (url === '') throw notSignedIn();
  return url;
}

/**
 * The session of the chosen server. Its token is `--token`, else `BERTH_SESSION_TOKEN`, else the one that `berth login` kept for this
 * very server.
 */
export function openSession(io: Io, store: SessionStore, given: Address): Session {
  const url = chosenUrl(io, store, given);
  const fromEnvironment = io.env.BERTH_SESSION_TOKEN ?? '';
  const token = given.token ?? (fromEnvironment === '' ? store.tokenOf(url) : fromEnvironment);
  if (token === undefined || token === '') {
    throw new CliError(EXIT.notSignedIn, `You are not signed in to ${url}.`, { next: `Sign in with: berth login ${url}` });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CliError(EXIT.notSignedIn, 'The session token contains invalid characters.');
  return sessionOf(io, url, token);
}

export function sessionOf(io: Io, url: string, token: string): Session {
  const fetch = serverFetch(io);
  const signedIn = async (send: typeof fetch, path: string, init: RequestInit = {}): Promise<Response> => {
    try {
      return await send(`${url}${path}`, { ...init, headers: { 'service-session-token': token, ...plainHeaders(init.headers) } });
    } catch (cause) {
      throw unreachable(cause);
    }
  };
  return {
    url,
    token,
    client: createClient({ url, token, fetch }),
    fetch: (path, init) => signedIn(fetch, path, init),
    stream: (path) => signedIn(streamingFetch(io), path),
  };
}

/** `fetch` whose answer ends when nothing of it came for a minute. */
function streamingFetch(io: Io): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new DOMException('No data for a minute.', 'TimeoutError')), ANSWER_MS);
    try {
      const response = await fetchOwn(io, input, { ...init, signal: silence.signal });
      const parts = new TransformStream<Uint8Array, Uint8Array>({
        transform: (part, out) => {
          timer.refresh();
          out.enqueue(part);
        },
        flush: () => clearTimeout(timer),
      });
      return new Response(response.body?.pipeThrough(parts) ?? null, response);
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

/** The way to a server as nobody, for signing in. */
export function anonymousClient(io: Io, url: string): Client {
  return createClient({ url, fetch: serverFetch(io) });
}

/** `fetch` that ends after a minute without a whole answer. */
function serverFetch(io: Io): typeof globalThis.fetch {
  return (input, init = {}) => {
    const signals = [AbortSignal.timeout(ANSWER_MS), ...(init.signal instanceof AbortSignal ? [init.signal] : [])];
    return fetchOwn(io, input, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** `fetch` that ends at Ctrl-C, and that follows no redirect: it would take the token along to wherever that leads. */
async function fetchOwn(
  io: Io,
  input: Parameters<typeof fetch>[0],
  { signal, ...init }: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const headers = { ...plainHeaders(init.headers), 'user-agent': `berth-cli/${VERSION}` };
  const response = await globalThis.fetch(input, { ...init, headers, redirect: 'manual', signal: AbortSignal.any([io.signal, signal]) });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new CliError(EXIT.unavailable, `The server redirects to ${response.headers.get('location') ?? 'another address'}.`, {
      next: 'Sign in at the new address: berth login <url>',
    });
  }
  return response;
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}
