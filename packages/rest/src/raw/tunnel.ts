import type { AgentPrincipal, Services } from '@berth/api/server';
import { TUNNEL_PATH, holdTunnel, openTunnel } from '@berth/api/server';
import { unauthenticated } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { identify, requireSameOrigin } from '../http/caller.ts';
import { mountSocket } from '../http/sockets.ts';

async function agentOf(services: Services, request: FastifyRequest): Promise<AgentPrincipal> {
  requireSameOrigin(request, services);
  const principal = await identify(services, request);
  if (principal.kind !== 'agent') throw unauthenticated('Send the token of an agent whose workspace build is the latest.');
  return principal;
}

async function serve(services: Services, request: FastifyRequest, socket: WebSocket): Promise<void> {
  // Nothing may read from the socket before the tunnel does, so what follows runs without waiting for anything else first.
  const { agentId, ownerId } = await agentOf(services, request);
  const isCurrent = async (): Promise<boolean> => (await identify(services, request)).kind === 'agent';
  await holdTunnel(services, await openTunnel(socket), { agentId, ownerId, isCurrent });
}

/** Where agents dial in with their reverse tunnel. */
export function mountTunnel(app: FastifyInstance, services: Services): void {
  mountSocket(app, services, {
    url: TUNNEL_PATH,
    admit: async (request) => void (await agentOf(services, request)),
    serve: (socket, request) => {
      serve(services, request, socket).catch((error: unknown) => {
        services.log.warn({ err: error }, 'a tunnel failed');
        socket.terminate();
      });
    },
  });
}
