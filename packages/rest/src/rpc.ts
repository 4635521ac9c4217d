import type { Services } from '@berth/api/server';
import { appRouter } from '@berth/api/server';
import type { FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import { contextOf, requireSameOrigin } from './http/caller.ts';

/** The typed door: the same router over HTTP, server-sent events and WebSocket, under `/api/rpc`. */
export async function mountRpc(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(fastifyTRPCPlugin, {
    prefix: '/api/rpc',
    useWSS: true,
    keepAlive: { enabled: true, pingMs: 15_000, pongWaitMs: 15_000 },
    trpcOptions: {
      router: appRouter,
      allowBatching: false,
      createContext: ({ req, res, info }) => {
        const isSocket = !('setCookie' in res);
        if (isSocket) requireSameOrigin(req, services);
        void info;
        return contextOf(services, req, isSocket ? null : res);
      },
    },
  } satisfies FastifyTRPCPluginOptions<typeof appRouter>);
}
