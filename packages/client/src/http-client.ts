import type { AppRouter } from '@berth/api';
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import type { TRPCClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';

/** Where the typed door is, relative to the server's URL. */
export const RPC_PATH = '/api/rpc';

/** Every operation of the server, by domain: `client.workspaces.list.query({ … })`. */
export type Client<TRouter extends AnyTRPCRouter = AppRouter> = TRPCClient<TRouter>;

export type Headers = Readonly<Record<string, string>>;

export interface ClientOptions {
  /** The server's URL, such as `https://berth.example.com`; empty in the dashboard, which lives on the same one. */
  readonly url: string;
  /** An API key. Sent in `Service-Session-Token`. */
  readonly token?: string;
  /** More headers; a function is called for each request (the dashboard's CSRF token). */
  readonly headers?: Headers | (() => Headers);
  readonly fetch?: typeof globalThis.fetch;
  /** For subscriptions where the runtime has none. In Node, `createSocketClient` carries subscriptions without it. */
  readonly EventSource?: typeof globalThis.EventSource;
}

/**
 * The typed client over HTTP: calls by `fetch`, subscriptions by server-sent events, which reconnect and resume by themselves. Works in
 * Node and in the browser. What a call throws is read by `errorOf`.
 */
export function createClient<TRouter extends AnyTRPCRouter = AppRouter>(options: ClientOptions): Client<TRouter> {
  const url = `${options.url.replace(/\/+$/, '')}${RPC_PATH}`;
  const { headers: more, token, fetch, EventSource } = options;
  const headers = (): Record<string, string> => ({
    ...(token === undefined ? {} : { 'service-session-token': token }),
    ...(typeof more === 'function' ? more() : more),
  });
  // Without a transformer each link takes the plain options, but that is only known once the router is.
  const linkOptions = { url, transformer: undefined } as never;
  return createTRPCClient<TRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink(Object.assign({ url }, EventSource === undefined ? {} : { EventSource }, linkOptions)),
        false: httpLink(Object.assign({ url, headers }, fetch === undefined ? {} : { fetch }, linkOptions)),
      }),
    ],
  });
}
