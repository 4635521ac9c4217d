import type { AppRouter } from '@berth/api';
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';

import { backoff } from './backoff.ts';
import { RPC_PATH } from './http-client.ts';
import type { Client, Headers } from './http-client.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;
const MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

/** A WebSocket that takes headers, such as the one of the `ws` package. */
export type SocketConstructor = new (
  url: string,
  protocols: string[],
  options: { headers: Headers; handshakeTimeout: number; perMessageDeflate: boolean; maxPayload: number },
) => {
  close(code?: number, reason?: string): void;
  terminate(): void;
  addEventListener(type: 'close', listener: () => void): void;
};

export interface SocketClientOptions {
  /** The server's URL, such as `https://berth.example.com`. */
  readonly url: string;
  /** Sent with each dial: the credential of an agent, a daemon or a person. Needs `WebSocket`. */
  readonly headers?: Headers;
  /** The WebSocket of the `ws` package; without it the runtime's own is used, which sends no headers. */
  readonly WebSocket?: SocketConstructor;
  /** Waits between dials, in milliseconds; 50 ms to 10 s by default. */
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Called for each connection that opened. */
  readonly onOpen?: () => void;
  /** Called when a connection ended, and after each dial that failed. */
  readonly onClose?: () => void;
  /** Called before each wait between two dials: why the last connection failed or ended, and for how long it waits. */
  readonly onRetry?: (retry: { readonly reason: string; readonly delayMs: number }) => void;
}

export interface SocketClient<TRouter extends AnyTRPCRouter = AppRouter> {
  readonly client: Client<TRouter>;
  /** Closes the connection for good. Calls that wait for an answer fail after 2 s at most. */
  close(): Promise<void>;
}

/**
 * The typed client over one WebSocket, for agents, daemons and programs. It dials at once and again for ever, with growing waits, and
 * notices a silent server in 30 s. A call made while there is no connection waits for the next one: give it a signal with a timeout. A
 * call whose connection breaks before the answer fails, and its caller decides whether to repeat it.
 */
export function createSocketClient<TRouter extends AnyTRPCRouter = AppRouter>(options: SocketClientOptions): SocketClient<TRouter> {
  const delays = backoff({ minMs: options.minDelayMs ?? 50, maxMs: options.maxDelayMs ?? 10_000 });
  const gate = connectionGate();
  let reason = '';
  const socket = createWSClient({
    url: `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}${RPC_PATH}`,
    ...(options.WebSocket === undefined ? {} : { WebSocket: withHeaders(options.WebSocket, options.headers ?? {}) }),
    retryDelayMs: () => {
      const delayMs = delays.next();
      options.onRetry?.({ reason: reason === '' ? 'the connection was closed' : reason, delayMs });
      return delayMs;
    },
    onError: (event) => {
      reason = reasonOf(event);
    },
    keepAlive: { enabled: true, intervalMs: KEEP_ALIVE_MS, pongTimeoutMs: KEEP_ALIVE_MS },
    onOpen: () => {
      reason = '';
      delays.opened();
      gate.open();
      options.onOpen?.();
    },
    onClose: () => {
      delays.closed();
      gate.close();
      options.onClose?.();
    },
  });
  const client = createTRPCClient<TRouter>({
    // Without a transformer the link takes plain options, but that is only known once the router is.
    links: [waitFor(gate), wsLink(Object.assign({ client: socket }, { transformer: undefined } as never))],
  });
  return {
    client,
    close: async () => {
      await Promise.race([socket.close(), new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    },
  };
}

/** Why a dial failed, as the `ws` package says it; browsers say nothing. */
function reasonOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return '';
  const message: unknown = Reflect.get(event, 'message');
  if (typeof message === 'string' && message !== '') return message;
  // Of a name with several addresses, none of which answered, only the code is known.
  const error: unknown = Reflect.get(event, 'error');
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

interface Gate {
  open(): void;
  close(): void;
  /** Resolves when there is a connection. */
  passed(): Promise<void>;
}

function connectionGate(): Gate {
  let { promise, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  return {
    open: () => {
      isOpen = true;
      resolve();
    },
    close: () => {
      // Whoever waits since an earlier failure goes on waiting on the same promise.
      if (isOpen) ({ promise, resolve } = Promise.withResolvers<void>());
      isOpen = false;
    },
    passed: () => promise,
  };
}

/** Holds calls back while there is no connection: tRPC itself would dial out of turn, and fail some of them in that race. */
function waitFor<TRouter extends AnyTRPCRouter>(gate: Gate): TRPCLink<TRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let inner: { unsubscribe(): void } | undefined;
        let isDone = false;
        const giveUp = (): void => observer.complete();
        op.signal?.addEventListener('abort', giveUp, { once: true });
        if (op.signal?.aborted === true) giveUp();
        void gate.passed().then(() => {
          if (!isDone) inner = next(op).subscribe(observer);
        });
        return () => {
          isDone = true;
          op.signal?.removeEventListener('abort', giveUp);
          inner?.unsubscribe();
        };
      });
}

/** Binds the headers, and makes `close` final: a peer that is gone never confirms it. */
function withHeaders(Base: SocketConstructor, headers: Headers): typeof WebSocket {
  const Bound = class extends Base {
    constructor(url: string) {
      super(url, [], { headers, handshakeTimeout: HANDSHAKE_TIMEOUT_MS, perMessageDeflate: false, maxPayload: MESSAGE_MAX_BYTES });
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      const timer = setTimeout(() => this.terminate(), CLOSE_TIMEOUT_MS);
      this.addEventListener('close', () => clearTimeout(timer));
    }
  };
  // tRPC only uses what every WebSocket has; `ws` has all of it under other type names.
  return Bound as unknown as typeof WebSocket;
}
