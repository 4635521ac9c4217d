import type { Services } from '@berth/api/server';
import { userCallFor } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { mountSocket } from '../http/sockets.ts';
import type { RawOperation } from './operations.ts';
import { keepAlive } from './socket.ts';

/** An echo is for a try, not for a life. */
const LIFE_MS = 5 * 60_000;
const MESSAGE_MAX_BYTES = 64 * 1024;

export const debugSocketOperation: RawOperation = {
  method: 'get',
  path: '/debug/ws',
  id: 'debug-info-websocket-test',
  tag: 'Debug',
  summary: 'Debug Info Websocket Test',
  description:
    'WebSocket that sends back each message, of 64 KiB at most: to find out whether WebSockets get through. It closes after five minutes.',
  parameters: [],
  responses: { '101': { description: 'Switching to WebSocket.' } },
  errors: ['unauthenticated', 'forbidden', 'not_found', 'rate_limited'],
};

/** `GET /debug/ws`: an echo for those who look after the deployment. */
export function mountDebugSocket(app: FastifyInstance, services: Services): void {
  mountSocket(app, services, {
    url: '/api/v2/debug/ws',
    admit: async (request) => {
      requireSameOrigin(request, services);
      const call = await userCallFor(contextOf(services, request, null), 'debug_info:read');
      call.authorize.require({ type: 'debug_info' });
    },
    serve: echo,
  });
}

function echo(socket: WebSocket): void {
  keepAlive(socket);
  const end = setTimeout(() => socket.close(1000, 'That was long enough for a try.'), LIFE_MS);
  socket.once('close', () => clearTimeout(end));
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: Buffer, isBinary) => {
    if (data.length > MESSAGE_MAX_BYTES) return socket.close(1009, 'Messages have 64 KiB at most.');
    // Who does not read what comes back is not listened to either.
    socket.pause();
    socket.send(data, { binary: isBinary }, () => socket.resume());
  });
}
