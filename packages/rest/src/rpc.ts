import type { IncomingMessage } from 'node:http';
import type { Services } from '@berth/api/server';
import { AGENT_RPC_PATH, appRouter, requireRpcVersion } from '@berth/api/server';
import { unauthenticated } from '@berth/core';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import { getWSConnectionHandler, handleKeepAlive } from '@trpc/server/adapters/ws';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { CallerFacts } from './http/caller.ts';
import { callerOf, contextOf, identify, requireSameOrigin } from './http/caller.ts';
import { singleValue } from './http/query.ts';
import { mountSocket } from './http/sockets.ts';

const PREFIX = '/api/rpc';
const PING_MS = 15_000;
const PONG_WAIT_MS = 15_000;

/** The typed door: the same router over HTTP, server-sent events and WebSocket, under `/api/rpc`. */
export async function mountRpc(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(fastifyTRPCPlugin, {
    prefix: PREFIX,
    trpcOptions: {
      router: appRouter,
      allowBatching: false,
      createContext: ({ req, res }: { req: Parameters<typeof contextOf>[1]; res: Parameters<typeof contextOf>[2] }) =>
        contextOf(services, req, res),
    },
  });

  // What Fastify knows of an upgrade, trusted proxies included, is lost on the raw request.
  const callers = new WeakMap<IncomingMessage, CallerFacts>();
  const connect = getWSConnectionHandler({
    wss: app.websocketServer,
    router: appRouter,
    createContext: ({ req }: { req: IncomingMessage }) => contextOf(services, callers.get(req) ?? callerOf(req), null),
  });
  const serve = (socket: WebSocket, request: FastifyRequest): void => {
    callers.set(request.raw, request);
    connect(socket, request.raw);
    handleKeepAlive(socket, PING_MS, PONG_WAIT_MS);
  };
  mountSocket(app, services, { url: PREFIX, admit: async (request) => requireSameOrigin(request, services), serve });
  mountSocket(app, services, {
    url: AGENT_RPC_PATH,
    admit: async (request) => {
      requireSameOrigin(request, services);
      const version = singleValue(request.query, 'version');
      requireRpcVersion(typeof version === 'string' ? version : undefined);
      const principal = await identify(services, request);
      if (principal.kind !== 'agent') throw unauthenticated('Send the token of an agent whose workspace build is the latest.');
    },
    serve,
  });
}
