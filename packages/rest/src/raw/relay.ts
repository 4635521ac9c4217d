import type { Services } from '@berth/api/server';
import { RELAY_HEADER, RelayVerifier, relayPath, serveRelay } from '@berth/api/server';
import { isUuid, notFound, unauthenticated } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { mountSocket } from '../http/sockets.ts';

/**
 * The door between replicas of one deployment: another replica asks for the tunnel of an agent that hangs on this one. It takes only what is
 * signed with the deployment's key for this agent and these two replicas; credentials of people and agents mean nothing here.
 */
export function mountRelay(app: FastifyInstance, services: Services): void {
  const verifier = new RelayVerifier(services.settings);
  mountSocket<{ agent: string }>(app, services, {
    url: relayPath(':agent'),
    admit: async (request) => {
      const text = request.headers[RELAY_HEADER];
      const { agent } = request.params;
      const isBrowser = request.headers.origin !== undefined;
      const asked = !isBrowser && typeof text === 'string' && isUuid(agent) ? verifier.accept(text, agent, services.clock.now()) : null;
      if (asked === null) throw unauthenticated('Only replicas of this deployment are answered here.');
      if (services.tunnels.get(agent) === undefined) throw notFound();
    },
    serve: (socket, request) => {
      const tunnel = services.tunnels.get(request.params.agent);
      if (tunnel === undefined) socket.close(1011, 'The agent is not connected here.');
      else serveRelay(socket, tunnel);
    },
  });
}
