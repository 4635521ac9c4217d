import type { Http2Session } from 'node:http2';

import { TunnelError } from './errors.ts';
import { SESSION_WINDOW_BYTES } from './settings.ts';
import type { KeepAliveOptions } from './settings.ts';
import type { SocketDuplex } from './socket-duplex.ts';

/** What both ends do with their HTTP/2 session. */
export interface SessionCare {
  /** Resolves when the session is gone, with the reason if there is one; never rejects. */
  readonly closed: Promise<Error | undefined>;
  readonly isClosed: boolean;
  /** Ends the session and every stream. Safe at any time, unlike `session.destroy()`. */
  kill(reason?: Error): void;
}

/**
 * Opens the session's window and watches over its end. Pings until it closes, and ends it when the other side stays silent: a half-open
 * connection tells nobody by itself.
 */
export function careFor(session: Http2Session, duplex: SocketDuplex, options: KeepAliveOptions): SessionCare {
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>();
  let isClosed = false;
  tolerateWriteOnClose(session);
  const openWindow = (): void => {
    if (!session.destroyed) session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  };
  if (session.connecting) session.once('connect', openWindow);
  else openWindow();

  session.on('error', (error) => duplex.kill(error));
  session.on('close', () => duplex.kill());
  duplex.on('close', () => {
    isClosed = true;
  });
  const stopPinging = keepAlive(session, duplex, options);
  session.once('close', () => {
    stopPinging();
    resolve(duplex.reason);
  });
  return {
    closed,
    get isClosed() {
      return isClosed;
    },
    kill: (reason) => duplex.kill(reason),
  };
}

/** One ping: milliseconds to the answer. Rejects with a `TunnelError` when the session is gone. */
export function pingSession(session: Http2Session): Promise<number> {
  return new Promise((resolve, reject) => {
    if (session.destroyed || session.closed) {
      reject(new TunnelError('closed', 'The tunnel is closed.'));
      return;
    }
    const wasSent = session.ping((error, millis) => {
      if (error === null) resolve(millis);
      else reject(new TunnelError('closed', 'The tunnel closed before the ping was answered.', error));
    });
    if (!wasSent) reject(new TunnelError('timeout', 'Too many pings wait for their answer.'));
  });
}

function keepAlive(session: Http2Session, duplex: SocketDuplex, options: KeepAliveOptions): () => void {
  const { pingIntervalMs = 15_000, deadAfterMs = 30_000 } = options;
  let lastAnswer = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastAnswer > deadAfterMs) {
      duplex.kill(new TunnelError('timeout', `The other end of the tunnel was silent for ${deadAfterMs} ms.`));
      return;
    }
    pingSession(session).then(
      () => {
        lastAnswer = performance.now();
      },
      // A failed ping leaves the clock running; that is all it means.
      () => undefined,
    );
  }, pingIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * When the peer breaks the protocol, Node writes a GOAWAY at once, and its adapter for streams that are not sockets asserts that no
 * other write is under way: an untrusted peer could end the whole process. Node routes unknown properties of `session.socket` to that
 * adapter, so the assertion becomes a failed write here, which HTTP/2 understands.
 */
function tolerateWriteOnClose(session: Http2Session): void {
  const socket: object = session.socket;
  const doWrite: unknown = Reflect.get(socket, 'doWrite');
  if (typeof doWrite !== 'function') return;
  const UV_ECANCELED = -125;
  Reflect.set(socket, 'doWrite', (request: unknown, buffers: unknown): unknown => {
    try {
      return Reflect.apply(doWrite, undefined, [request, buffers]);
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ERR_INTERNAL_ASSERTION') return UV_ECANCELED;
      throw error;
    }
  });
}
