import type { AppRouter } from '@berth/api';
import { backoff } from '@berth/client';
import { createTRPCClient, createWSClient, httpLink, splitLink, wsLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { csrfToken } from './csrf.ts';
import { queryClient } from './query-client.ts';
import { retryUnanswered } from './retry-link.ts';

const PATH = '/api/rpc';
const IDLE_CLOSE_MS = 5000;

const delays = backoff({ minMs: 250, maxMs: 10_000 });

/**
 * Carries every subscription of a tab over one connection. Server-sent events would take one each, and a browser opens no more than six
 * to a server without TLS, over all its tabs: the seventh call would hang. Open only while something listens.
 */
export const socket = createWSClient({
  url: `${location.origin.replace(/^http/, 'ws')}${PATH}`,
  lazy: { enabled: true, closeMs: IDLE_CLOSE_MS },
  retryDelayMs: () => delays.next(),
  onOpen: () => delays.opened(),
  onClose: () => delays.closed(),
  keepAlive: { enabled: true, intervalMs: 20_000, pongTimeoutMs: 10_000 },
});

/** The typed client of the browser: the session cookie says who we are, the CSRF header that it was this page that asked. */
export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (op) => op.type === 'subscription',
      true: wsLink({ client: socket }),
      false: [retryUnanswered, httpLink({ url: PATH, headers: () => ({ 'X-CSRF-TOKEN': csrfToken(document.cookie) }) })],
    }),
  ],
});

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

export type Outputs = inferRouterOutputs<AppRouter>;
