import { createRateLimit } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';

/** What programs call; everything else is pages and apps. */
const LIMITED = ['/api/', '/oauth2/', '/scim/', '/external-auth/'];

/** Limits requests of programs per address and minute; a limit of zero or less is none. */
export function installRateLimit(app: FastifyInstance, perMinute: number): void {
  const limit = createRateLimit(perMinute);
  app.addHook('onRequest', async (request) => {
    if (LIMITED.some((prefix) => request.url.startsWith(prefix))) await limit.consume(request.ip);
  });
}
