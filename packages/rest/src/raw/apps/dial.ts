import type { Agent, ClientRequest } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { AppTarget, Services } from '@berth/api/server';
import { AppRefusal, waitForTunnel } from '@berth/api/server';

/** An agent that just lost its connection is back within seconds; a page load waits that long. */
const RECONNECT_MS = 5_000;

/** A connection to the app, through the tunnel of its agent. @throws AppRefusal agent_away, or no_answer. */
export async function dial(services: Services, target: AppTarget, signal: AbortSignal): Promise<Duplex> {
  const tunnel = await waitForTunnel(services, target.agentId, { timeoutMs: RECONNECT_MS, signal }).catch((error: unknown) => {
    throw new AppRefusal('agent_away', { cause: error });
  });
  const stream = await tunnel.connectTcp(target.port, { signal }).catch((error: unknown) => {
    throw new AppRefusal('no_answer', { detail: `Nothing could be reached on port ${target.port} of the workspace.`, cause: error });
  });
  if (target.protocol === 'http') return stream;
  // What a program shows for its own loopback proves nothing to anybody: the way there is protected by the tunnel.
  return tlsConnect({ socket: stream, servername: 'localhost', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
}

export interface AppMessage {
  readonly method: string;
  /** As the app sees it, with its query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** A connection for this one request, or those that are used again. */
export type Way = { readonly stream: Duplex } | { readonly agent: Agent };

/** Begins a request to the app. @throws AppRefusal for a path that no request line can hold. */
export function send(way: Way, target: AppTarget, { method, path, headers }: AppMessage): ClientRequest {
  try {
    return httpRequest({
      ...('stream' in way ? { createConnection: () => way.stream } : { agent: way.agent }),
      method,
      path: `${target.basePath}${path}`.replace(/^\/{2,}/, '/'),
      headers: [...headers],
    });
  } catch (error) {
    if ('stream' in way) way.stream.destroy();
    throw new AppRefusal('bad_request', { cause: error });
  }
}
