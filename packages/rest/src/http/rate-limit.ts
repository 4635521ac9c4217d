import { createRateLimit } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';

/** Limits requests to `/api` per address and minute; a limit of zero or less is none. */
export function installRateLimit(app: FastifyInstance, perMinute: number): void {
  const limit = createRateLimit(perMinute);
  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/api/')) await limit.consume(request.ip);
  });
}
