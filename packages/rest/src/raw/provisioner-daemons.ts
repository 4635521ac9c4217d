import type { IncomingMessage } from 'node:http';
import type { Context, Services } from '@berth/api/server';
import { ServeQuery, appRouter, daemonPrincipal, invalidInput, requireDaemonCredential } from '@berth/api/server';
import { getWSConnectionHandler, handleKeepAlive } from '@trpc/server/adapters/ws';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { singleValue } from '../http/query.ts';
import { mountSocket } from '../http/sockets.ts';

const PING_MS = 15_000;
const PONG_WAIT_MS = 15_000;

type ServeRequest = FastifyRequest<{ Params: { organization: string } }>;

/** Parameters that may stand once or several times. */
const listOf = (value: unknown): unknown => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function queryOf(request: FastifyRequest): ServeQuery {
  const given = Object.fromEntries(Object.entries(request.query ?? {}));
  const parsed = ServeQuery.safeParse({
    ...given,
    provisioner: listOf(given['provisioner']),
    tag: listOf(given['tag']),
    name: singleValue(given, 'name'),
    version: singleValue(given, 'version'),
  });
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
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
      if (context === undefined) throw new Error('a provisioner daemon connected without a context');
      return context;
    },
  });
  mountSocket<{ organization: string }>(app, services, {
    url: '/api/v2/organizations/:organization/provisionerdaemons/serve',
    admit: async (request) => {
      requireSameOrigin(request, services);
      await requireDaemonCredential(contextOf(services, request, null));
      await daemonContext(services, request, queryOf(request)).authenticate();
    },
    serve: (socket, request) => {
      contexts.set(request.raw, daemonContext(services, request, queryOf(request)));
      connect(socket, request.raw);
      handleKeepAlive(socket, PING_MS, PONG_WAIT_MS);
    },
  });
}
