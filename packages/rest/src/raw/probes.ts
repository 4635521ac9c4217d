import type { Services } from '@berth/api/server';
import { checkReadiness, reportOf } from '@berth/api/server';
import { DomainError } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { sendReport } from '../http/errors.ts';

/**
 * `/livez`: this process answers. `/healthz`: it can also do its work, or 503 with the reason. A balancer asks the second one; who only
 * waits for a server to come up asks the first.
 */
export function mountProbes(app: FastifyInstance, services: Services): void {
  app.get('/livez', (_, reply) => reply.type('text/plain').send('OK'));
  app.get('/healthz', async (_, reply) => {
    const problem = await checkReadiness(services);
    if (problem === null) return reply.type('text/plain').send('OK');
    return sendReport(reply, reportOf(new DomainError('unavailable', problem.message, { detail: problem.code })));
  });
}
