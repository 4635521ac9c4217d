import type { Services } from '@berth/api/server';
import { appRouter, attemptCookieName, signOnCookie, signOnErrorCode } from '@berth/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../http/caller.ts';

type Callback = FastifyRequest<{ Querystring: Record<string, unknown> }>;
type Kind = 'oidc' | 'codehost';

const URLS: Readonly<Record<Kind, string>> = {
  oidc: '/api/v2/users/oidc/callback',
  codehost: '/api/v2/users/oauth2/codehost/callback',
};
/** More than a person has open at once. A page of another site must not fill the browser's store of cookies through us. */
const OPEN_ATTEMPTS_MAX = 5;

/**
 * The browser's way to sign in by a provider: without an answer of the provider it begins and leads there, with one it completes and
 * leads on. Every answer is a redirect; what goes wrong is a code that the sign-in page has a sentence for.
 */
export function mountSignOn(app: FastifyInstance, services: Services): void {
  for (const kind of ['oidc', 'codehost'] as const) {
    // Nothing may begin or complete by a HEAD.
    app.get(URLS[kind], { exposeHeadRoute: false }, (request: Callback, reply) => answer(services, { kind, request, reply }));
  }
}

interface Exchange {
  readonly kind: Kind;
  readonly request: Callback;
  readonly reply: FastifyReply;
}

async function answer(services: Services, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  try {
    const address = isAnswer(request)
      ? await complete(services, exchange)
      : (ownAddress(services, request) ?? (await begin(services, exchange)));
    return await reply.redirect(address, 307);
  } catch (error) {
    return reply.redirect(`/login?error=${signOnErrorCode(error)}`, 307);
  }
}

/** Whether a provider answers; else somebody wants to begin. */
function isAnswer({ query }: Callback): boolean {
  return 'code' in query || 'error' in query || 'state' in query;
}

/**
 * The same address under the name that the provider sends the browser back to, where this is another one: cookies are of one host. Asked
 * for once only, since a proxy may show us another name than the browser's.
 */
function ownAddress({ settings }: Services, request: Callback): string | null {
  const { host } = new URL(settings.accessUrl);
  if (request.host === host || 'moved' in request.query || request.headers['sec-fetch-mode'] !== 'navigate') return null;
  return `${settings.accessUrl}${request.url}${request.url.includes('?') ? '&' : '?'}moved=1`;
}

async function begin(services: Services, { kind, request, reply }: Exchange): Promise<string> {
  const context = contextOf(services, request, reply);
  const prefix = attemptCookieName(services.settings, 'sign-on:');
  const open = Object.keys(request.cookies).filter((name) => name.startsWith(prefix));
  if (open.length >= OPEN_ATTEMPTS_MAX) {
    for (const name of open) context.response.setCookie({ name, value: '', httpOnly: true, maxAgeSeconds: 0 });
  }
  const input = textsOf(request, ['provider', 'redirect', 'oidc_merge_state']);
  return (await appRouter.createCaller(context).signOn.begin({ kind, ...input })).redirect_to;
}

async function complete(services: Services, { kind, request, reply }: Exchange): Promise<string> {
  const { state = '' } = textsOf(request, ['state']);
  const name = signOnCookie(services.settings, state);
  const attempt = name === null ? '' : (request.cookies[name] ?? '');
  const query = new URL(request.url, services.settings.accessUrl).search;
  const caller = appRouter.createCaller(contextOf(services, request, reply)).signOn;
  return (await caller.complete({ kind, state, attempt, query })).redirect_to;
}

/** The named parameters of the query that are one text; one that is repeated is none. */
function textsOf({ query }: Callback, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof query[name] === 'string' ? [[name, query[name]]] : [])));
}
