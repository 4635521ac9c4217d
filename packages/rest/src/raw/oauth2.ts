import type { ErrorReport, Services } from '@berth/api/server';
import { appRouter, providerMetadata } from '@berth/api/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { reportOfRequest } from '../http/errors.ts';
import { answerOperation, restOperations } from '../http/mount-procedures.ts';
import { clientFormOf, queryAndFormOf, takeForms } from './oauth2-form.ts';

const API = '/api/v2';
const AUTHORIZE = '/oauth2/authorize';
/** Every path answers here and below `/api/v2`. */
const PREFIXES = ['', API];

/** What the procedures under the same paths leave to this file. */
export function isOAuth2Form(method: string, url: string): boolean {
  return method === 'POST' && url === `${API}/oauth2/tokens`;
}

type Caller = ReturnType<typeof appRouter.createCaller>['oauth2'];
interface ProtocolAnswer {
  readonly status: number;
  readonly body: object;
}
/** The endpoints that clients call themselves, each a form that one procedure answers. */
const ENDPOINTS: Readonly<Record<string, (caller: Caller, form: Record<string, string>) => Promise<ProtocolAnswer>>> = {
  '/oauth2/tokens': (caller, form) => caller.token(form),
  '/oauth2/device': (caller, form) => caller.beginDevice(form),
  '/oauth2/revoke': (caller, form) => caller.revoke(form),
  '/oauth2/introspect': (caller, form) => caller.introspect(form),
};

/** The OAuth2 provider as its clients know it: forms in, the protocol's own bodies out, redirects for the browser. */
export function mountOAuth2(app: FastifyInstance, services: Services): void {
  const callerOf = (request: FastifyRequest, reply: FastifyReply): Caller =>
    appRouter.createCaller(contextOf(services, request, reply)).oauth2;
  // A client names itself in its form. The cookie of a browser counts for nothing here, so no page needs to be kept out for it.
  const clientOf = (request: FastifyRequest, reply: FastifyReply): Caller =>
    appRouter.createCaller({ ...contextOf(services, request, reply), authenticate: () => Promise.resolve({ kind: 'anonymous' }) }).oauth2;

  app.register(async (scope) => {
    takeForms(scope);
    scope.setErrorHandler((error: FastifyError, request, reply) => sendProtocol(reply, refusalOf(reply, reportOfRequest(error, request))));
    for (const prefix of PREFIXES) {
      for (const [path, call] of Object.entries(ENDPOINTS)) {
        scope.post(`${prefix}${path}`, async (request, reply) =>
          sendProtocol(reply, await call(clientOf(request, reply), clientFormOf(request))),
        );
      }
    }
  });
  app.register(async (scope) => {
    takeForms(scope);
    for (const prefix of PREFIXES) {
      scope.post(`${prefix}${AUTHORIZE}`, async (request, reply) => {
        const { client_id = '', ...rest } = queryAndFormOf(request);
        const { redirect_url: url } = await callerOf(request, reply).approve({ client_id, ...rest, approve: true });
        return reply.header('cache-control', 'no-store').redirect(url, 302);
      });
    }
  });

  // At the root, a GET is the dashboard's page, which asks the person.
  app.get(`${API}${AUTHORIZE}`, (request, reply) => reply.redirect(`${services.settings.accessUrl}${request.url.slice(API.length)}`, 302));
  for (const prefix of PREFIXES) {
    app.get(`${prefix}/.well-known/oauth-authorization-server`, (_, reply) => reply.send(providerMetadata(services.settings)));
    for (const path of Object.keys(ENDPOINTS)) {
      if (`${prefix}${path}` === `${API}/oauth2/tokens`) continue;
      app.get(`${prefix}${path}`, (_, reply) =>
        reply.code(405).header('allow', 'POST').send({ message: 'This path takes POST.', detail: '', validations: [] }),
      );
    }
  }
  for (const operation of restOperations().filter(({ url }) => url.startsWith(`${API}/oauth2/`))) {
    app.route({
      method: operation.method,
      url: operation.url.slice(API.length),
      handler: (request, reply) => answerOperation(services, operation, request, reply),
    });
  }
}

function sendProtocol(reply: FastifyReply, { status, body }: ProtocolAnswer): FastifyReply {
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="oauth2"');
  return reply.code(status).header('cache-control', 'no-store').header('pragma', 'no-cache').send(body);
}

/** A refusal before the protocol's own rules, in the protocol's form. */
function refusalOf(reply: FastifyReply, report: ErrorReport): ProtocolAnswer {
  if (report.kind === 'rate_limited') void reply.header('retry-after', '60');
  const error = report.status >= 500 ? 'server_error' : report.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  const description = [report.message, report.detail].filter((part) => part !== '').join(' ');
  return { status: report.status, body: { error, error_description: description } };
}
