import type { Services } from '@berth/api/server';
import { appRouter, reportOf } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { sendReport } from '../http/errors.ts';

export const CSP_REPORTS_URL = '/api/v2/csp/reports';

/**
 * Takes what browsers say of pages of ours. They send the session's cookie along but no CSRF token, and nothing that is done here needs
 * to know who it was: so whatever credential there is, nobody looks at it.
 */
export function mountCspReports(app: FastifyInstance, services: Services): void {
  app.post(CSP_REPORTS_URL, async (request, reply) => {
    const context = { ...contextOf(services, request, null), authenticate: () => Promise.resolve({ kind: 'anonymous' } as const) };
    try {
      await appRouter.createCaller(context).general.reportCsp(bodyOf(request.body));
    } catch (error) {
      return sendReport(reply, reportOf(error));
    }
    return await reply.code(200).send({});
  });
}

/** The procedure refuses what has another shape. */
function bodyOf(body: unknown): Parameters<ReturnType<typeof appRouter.createCaller>['general']['reportCsp']>[0] {
  return typeof body === 'object' && body !== null ? body : {};
}
