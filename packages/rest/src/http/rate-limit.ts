import { createRateLimit } from '@berth/api/server';
import { DomainError } from '@berth/core';
import type { FastifyInstance } from 'fastify';

/** Limits requests to `/api` per address and minute; a limit of zero or less is none. */
export function installRateLimit(app: FastifyInstance, perMinute: number): void {
  const limit = createRateLimit(perMinute);
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return;
    try {
      await limit.consume(request.ip);
    } catch (error) {
      if (error instanceof DomainError) void reply.header('retry-after', '60');
      throw error;
    }
  });
}
