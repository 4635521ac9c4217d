import type { AgentPrincipal, Services } from '@berth/api/server';
import { TUNNEL_PATH, agentConnected, authChannel, agentDisconnected, agentStillConnected, openTunnel } from '@berth/api/server';
import { unauthenticated } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { identify, requireSameOrigin } from '../http/caller.ts';

const HEARTBEAT_MS = 15_000;

async function agentOf(services: Services, request: FastifyRequest): Promise<AgentPrincipal> {
  requireSameOrigin(request, services);
  const principal = await identify(services, request);
  if (principal.kind !== 'agent') throw unauthenticated('Send the token of an agent whose workspace build is the latest.');
  return principal;
}

/** An agent counts as connected while its tunnel lives; the tunnel ends when the agent's token does. */
async function holdTunnel(services: Services, agent: AgentPrincipal, socket: WebSocket, isCurrent: () => Promise<boolean>): Promise<void> {
  const tunnel = await openTunnel(socket);
  services.tunnels.add(agent.agentId, tunnel);
  await agentConnected(services, agent.agentId);
  const beat = (): void => {
    void (async () => {
      if (await isCurrent()) await agentStillConnected(services, agent.agentId);
      else tunnel.close();
    })().catch((error: unknown) => services.log.warn({ err: error, agent_id: agent.agentId }, 'an agent heartbeat failed'));
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  const unsubscribe = services.bus.subscribe(authChannel, (news) => {
    if (news.user_id === agent.ownerId) beat();
  });
  await tunnel.closed;
  clearInterval(heartbeat);
  unsubscribe();
  if (services.tunnels.get(agent.agentId) === undefined) await agentDisconnected(services, agent.agentId);
}

/** Where agents dial in with their reverse tunnel. */
export function mountTunnel(app: FastifyInstance, services: Services): void {
  app.get(
    TUNNEL_PATH,
    { websocket: true, preValidation: async (request) => void (await agentOf(services, request)) },
    (socket, request) => {
      // Nothing may read from the socket before the tunnel does, so what follows runs without waiting first.
      void agentOf(services, request)
        .then((agent) =>
          holdTunnel(services, agent, socket, () => identify(services, request).then((principal) => principal.kind === 'agent')),
        )
        .catch((error: unknown) => {
          services.log.warn({ err: error }, 'a tunnel failed');
          socket.terminate();
        });
    },
  );
}
