import type { Context, Services } from '@berth/api/server';
import { appRouter, attemptCookieName, externalAuthPurpose, reportOf } from '@berth/api/server';
import { unauthenticated } from '@berth/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { sendFailure } from '../http/errors.ts';

type Callback = FastifyRequest<{ Params: { externalauth: string }; Querystring: Record<string, unknown> }>;

/** At the root, which is the address to register at a service, and under the API. */
const URLS = ['/external-auth/:externalauth/callback', '/api/v2/external-auth/:externalauth/callback'];

/**
 * The browser's way to link an account: without an answer of the service it begins and leads there, with one it completes and leads
 * back. Whoever is not signed in signs in first; what goes wrong is told on the dashboard's page of the service.
 */
export function mountExternalAuth(app: FastifyInstance, services: Services): void {
  for (const url of URLS) {
    // Nothing may begin or complete by a HEAD.
    app.get(url, { exposeHeadRoute: false }, (request: Callback, reply) => answerCallback(services, request, reply));
  }
}

async function answerCallback(services: Services, request: Callback, reply: FastifyReply): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store');
  const page = `/external-auth/${encodeURIComponent(request.params.externalauth)}`;
  const isBrowser = request.headers.accept?.includes('text/html') === true;
  try {
    const context = contextOf(services, request, reply);
    if ((await context.authenticate()).kind !== 'user') throw unauthenticated();
    // A link on another site must not begin anything: the person begins on our page.
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site' || request.headers['sec-fetch-site'] === 'same-site';
    if (isForeign && !isAnswer(request)) return await reply.redirect(page, 303);
    return await reply.redirect(await nextAddress(context, request), 307);
  } catch (error) {
    const { kind, message, detail } = reportOf(error);
    if (!isBrowser || kind === 'internal') return sendFailure(reply, error);
    if (kind === 'unauthenticated' && !isAnswer(request)) {
      return reply.redirect(`/login?redirect=${encodeURIComponent(page)}`, 303);
    }
    const reason = detail === '' ? message : `${message} (${detail})`;
    return reply.redirect(`${page}?error=${encodeURIComponent(reason)}`, 303);
  }
}

/** Whether a service answers; else somebody wants to begin. */
function isAnswer({ query }: Callback): boolean {
  return 'code' in query || 'error' in query || 'state' in query;
}

async function nextAddress(context: Context, request: Callback): Promise<string> {
  const caller = appRouter.createCaller(context).externalAuth;
  const { externalauth } = request.params;
  if (!isAnswer(request)) {
    const { url } = await caller.begin({ externalauth, ...textsOf(request, ['redirect']) });
    return url;
  }
  const attempt = request.cookies[attemptCookieName(context.services.settings, externalAuthPurpose(externalauth))] ?? '';
  const { redirect } = await caller.complete({ externalauth, attempt, ...textsOf(request, ['code', 'state', 'error']) });
  return redirect;
}

/** The named parameters of the query that are one text; one that is repeated is none. */
function textsOf({ query }: Callback, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof query[name] === 'string' ? [[name, query[name]]] : [])));
}
