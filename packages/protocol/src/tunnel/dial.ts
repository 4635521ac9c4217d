import { WebSocket } from 'ws';

import { TunnelError } from './errors.ts';
import { openTunnel } from './open.ts';
import type { Tunnel } from './open.ts';
import { HANDSHAKE_TIMEOUT_MS, tunnelDialOptions } from './settings.ts';
import type { KeepAliveOptions } from './settings.ts';

export interface DialTunnelOptions extends KeepAliveOptions {
  /** Of an endpoint that serves a tunnel: `ws:`, `wss:`, `http:` or `https:`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Dials an endpoint that serves a tunnel, and takes the asking end of it; 20 s at most. Rejects with a `TunnelError`: `rejected` when the
 * endpoint would not, `closed` when it cannot be reached.
 */
export function dialTunnel({ url, headers, ...keepAlive }: DialTunnelOptions): Promise<Tunnel> {
  const address = url.replace(/^http/, 'ws');
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(address, {
      ...tunnelDialOptions(address),
      headers,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      followRedirects: false,
    });
    ws.on('error', (error) => reject(new TunnelError('closed', 'The other end could not be reached.', error)));
    ws.once('unexpected-response', (_, response) => {
      response.destroy();
      reject(new TunnelError('rejected', `The other end answered ${response.statusCode}.`));
      ws.terminate();
    });
    ws.once('open', () => openTunnel(ws, keepAlive).then(resolve, reject));
  });
}
