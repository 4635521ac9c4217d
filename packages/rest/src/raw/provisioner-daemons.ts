import type { IncomingMessage } from 'node:http';
import type { Context, Services } from '@berth/api/server';
import { ServeQuery, appRouter, daemonPrincipal, requireDaemonCredential } from '@berth/api/server';
import { invalid } from '@berth/core';
import { getWSConnectionHandler, handleKeepAlive } from '@trpc/server/adapters/ws';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, requireSameOrigin } from '../http/caller.ts';

const PING_MS = 15_000;
const PONG_WAIT_MS = 15_000;

type ServeRequest = FastifyRequest<{ Params: { organization: string } }>;

/** Parameters that may stand once or several times. */
const listOf = (value: unknown): unknown => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function queryOf(request: FastifyRequest): ServeQuery {
  const given = Object.fromEntries(Object.entries(request.query ?? {}));
  const parsed = ServeQuery.safeParse({ ...given, provisioner: listOf(given['provisioner']), tag: listOf(given['tag']) });
  if (parsed.success) return parsed.data;
  throw invalid(
    'Validation failed.',
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), detail: issue.message })),
  );
}

/** The same context, in which the caller is the daemon that it dialled as. Asked anew for each call: its credential may end. */
function daemonContext(services: Services, request: ServeRequest, query: ServeQuery): Context {
  const context = contextOf(services, request, null);
  return { ...context, authenticate: () => daemonPrincipal(context, request.params.organization, query) };
}

/** Where provisioner daemons dial in by the path of their organization; they speak the `provisionerApi` of the typed door. */
export function mountProvisionerDaemons(app: FastifyInstance, services: Services): void {
  const contexts = new WeakMap<IncomingMessage, Context>();
  const connect = getWSConnectionHandler({
    wss: app.websocketServer,
    router: appRouter,
    createContext: ({ req }: { req: IncomingMessage }) => {
      const context = contexts.get(req);
      if (context === undefined) throw new Error('a daemon came in by no door');
      return context;
    },
  });
  app.get<{ Params: { organization: string } }>(
    '/api/v2/organizations/:organization/provisionerdaemons/serve',
    {
      websocket: true,
      // What can be refused before the upgrade is, so that clients learn the status.
      preValidation: async (request) => {
        requireSameOrigin(request, services);
        await requireDaemonCredential(contextOf(services, request, null));
        await daemonContext(services, request, queryOf(request)).authenticate();
      },
    },
    (socket, request) => {
      contexts.set(request.raw, daemonContext(services, request, queryOf(request)));
      connect(socket, request.raw);
      handleKeepAlive(socket, PING_MS, PONG_WAIT_MS);
    },
  );
}
