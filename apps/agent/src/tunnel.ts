import net from 'node:net';
import type { Duplex } from 'node:stream';

import { backoff } from '@berth/client';
import { serveTunnel, TUNNEL_PATH, tunnelDialOptions, TunnelError } from '@berth/protocol/tunnel';
import type { ServedTunnel, TunnelHandlers } from '@berth/protocol/tunnel';
import { WebSocket } from 'ws';

import type { Log } from './log.ts';
import { pause } from './timing.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** A server that vanished without a word is noticed soon enough to be back at another one within seconds. */
const KEEP_ALIVE = { pingIntervalMs: 4000, deadAfterMs: 10_000 };

export interface TunnelOptions {
  readonly url: string;
  readonly token: string;
  readonly handlers: TunnelHandlers;
  readonly log: Log;
}

export interface TunnelDialer {
  readonly isOpen: boolean;
  /** Dials at once if it waits: the server has just been heard of. */
  hurry(): void;
  /** Of the tunnel that is open, if there is one. */
  stats(): ReturnType<ServedTunnel['stats']>;
  close(): void;
}

/** Keeps a tunnel to the server: dials, serves, and dials again for as long as the process lives. */
export function dialTunnel({ url, token, handlers, log }: TunnelOptions): TunnelDialer {
  const stop = new AbortController();
  const delays = backoff({ minMs: 50, maxMs: 10_000 });
  const address = `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}${TUNNEL_PATH}`;
  let tunnel: ServedTunnel | undefined;
  let waiting = new AbortController();
  const past = { rxBytes: 0, txBytes: 0 };

  async function run(): Promise<void> {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        tunnel = await dial(address, token, (ws) => serveTunnel(ws, handlers, KEEP_ALIVE));
        delays.opened();
        failures = 0;
        const reason = await tunnel.closed;
        if (!stop.signal.aborted) log('warn', 'The tunnel is gone; dialling again', reason);
      } catch (error) {
        failures += 1;
        // The first failure says it; later ones only now and then.
        if (failures === 1 || failures % 30 === 0) log('warn', `The tunnel could not be dialled (${failures} times)`, error);
      }
      const { rxBytes, txBytes } = tunnel?.stats() ?? past;
      if (tunnel !== undefined) {
        past.rxBytes += rxBytes;
        past.txBytes += txBytes;
      }
      tunnel = undefined;
      delays.closed();
      waiting = new AbortController();
      await pause(delays.next(), AbortSignal.any([stop.signal, waiting.signal]));
    }
  }
  void run();

  return {
    get isOpen() {
      return tunnel !== undefined;
    },
    hurry: () => waiting.abort(),
    stats: () => {
      const { streams = 0, rxBytes = 0, txBytes = 0 } = tunnel?.stats() ?? {};
      return { streams, rxBytes: past.rxBytes + rxBytes, txBytes: past.txBytes + txBytes };
    },
    close: () => {
      stop.abort();
      tunnel?.close();
    },
  };
}

/** `serve` takes the socket over in the same tick in which it opens: the server's first words may have arrived with its answer. */
function dial(address: string, token: string, serve: (ws: WebSocket) => ServedTunnel): Promise<ServedTunnel> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(address, {
      ...tunnelDialOptions(address),
      headers: { 'service-session-token': token },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    ws.on('error', reject);
    ws.once('open', () => resolve(serve(ws)));
  });
}

/** A connection to a port of the workspace. Development servers listen on either loopback, so both are tried. */
export async function connectLoopback(port: number): Promise<Duplex> {
  const failures: unknown[] = [];
  for (const host of ['127.0.0.1', '::1']) {
    try {
      return await connect(host, port);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new TunnelError('refused', `Nothing listens on port ${port} of the workspace.`, failures[0]);
}

function connect(host: string, port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
