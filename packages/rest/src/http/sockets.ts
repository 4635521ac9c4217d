import type { Services } from '@berth/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { identify } from './caller.ts';
import { errorBody } from './errors.ts';

/** An operation that only speaks WebSocket; `P` are the parameters of its path. */
export interface SocketOperation<P> {
  readonly url: string;
  /** Rejects before the upgrade what can be rejected then, so that clients see a status. */
  readonly admit: (request: FastifyRequest<{ Params: P }>) => Promise<void>;
  readonly serve: (socket: WebSocket, request: FastifyRequest<{ Params: P }>) => void;
}

const UPGRADE_REQUIRED = errorBody({
  message: 'This operation needs a WebSocket.',
  detail: 'Connect with a WebSocket client, which sends the header Upgrade: websocket.',
  validations: [],
});

/** Mounts an operation that only speaks WebSocket. A plain request for it answers 426, once the caller is known. */
export function mountSocket<P = unknown>(app: FastifyInstance, services: Services, { url, admit, serve }: SocketOperation<P>): void {
  app.route<{ Params: P }>({
    method: 'GET',
    url,
    preValidation: async (request) => {
      if (request.ws || (await identify(services, request)).kind === 'anonymous') await admit(request);
    },
    handler: async (_, reply) => reply.code(426).header('upgrade', 'websocket').header('connection', 'Upgrade').send(UPGRADE_REQUIRED),
    wsHandler: serve,
  });
}
