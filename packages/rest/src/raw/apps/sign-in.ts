import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Services } from '@berth/api/server';
import { APP_KEY_PARAMETER, AppRefusal, appRouter, redeemAppKey, reportOf } from '@berth/api/server';
import { DomainError } from '@berth/core';
import { randomToken } from '@berth/core/secrets';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../../http/caller.ts';
import { sendFailure } from '../../http/errors.ts';
import { appSessionCookieName, appStateCookieName, cookieValues, setCookieText } from './cookies.ts';
import type { Visit } from './visit.ts';
import { isDocument } from './visit.ts';

const REDIRECT_PATH = '/api/v2/applications/auth-redirect';
/** Time to sign in to the dashboard, second factor and consent included. */
const STATE_SECONDS = 600;
const STATE_LENGTH = 32;

/** What leaves the app's host of its state: whoever sees an address on the way cannot make the cookie of it. */
function publicState(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}

function redirect(response: ServerResponse, address: string, cookies: readonly string[]): void {
  response.writeHead(303, {
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
  });
  response.end();
}

/** Where a browser that nobody knows goes to be signed in: by way of the dashboard's host, where its session is. */
export function leadToSignIn({ settings }: Services, visit: Visit, response: ServerResponse): void {
  const { accessUrl } = settings;
  if (visit.request.accessMethod === 'path') {
    return redirect(response, `/login?redirect=${encodeURIComponent(visit.message.url ?? '/')}`, []);
  }
  const name = appStateCookieName(settings);
  // Two pages of one app may be on their way at the same time.
  const [known] = cookieValues(visit.message, name);
  const state = known?.length === STATE_LENGTH ? known : randomToken(STATE_LENGTH);
  const back = `${new URL(accessUrl).protocol}//${visit.peer.host}${visit.path ?? '/'}`;
  const query = new URLSearchParams({ redirect_uri: back, state: publicState(state) });
  redirect(response, `${accessUrl}${REDIRECT_PATH}?${query.toString()}`, [
    setCookieText(settings, { name, value: state, path: '/', maxAgeSeconds: STATE_SECONDS }),
  ]);
}

/**
 * Takes a key that a browser brought to an app's host: keeps it in this host's own cookie and leads to the same address without it. False:
 * the request brings none.
 *
 * @throws AppRefusal sign_in_failed when it is of another host, of another browser, used, or too old.
 */
export async function completeSignIn(services: Services, visit: Visit, response: ServerResponse): Promise<boolean> {
  if (visit.request.accessMethod === 'path' || visit.path?.includes(`${APP_KEY_PARAMETER}=`) !== true) return false;
  const address = new URL(visit.path, 'http://app');
  const sealed = address.searchParams.get(APP_KEY_PARAMETER);
  if (sealed === null || !isDocument(visit.message)) return false;
  const { settings, clock } = services;
  const [state = ''] = cookieValues(visit.message, appStateCookieName(settings));
  const session = await redeemAppKey(services, { host: visit.host, sealed, state: state === '' ? '' : publicState(state) });
  if (session === null) throw new AppRefusal('sign_in_failed');
  const maxAgeSeconds = Math.floor((session.expiresAt.getTime() - clock.now().getTime()) / 1000);
  const cookie = setCookieText(settings, { name: appSessionCookieName(settings), value: session.cookie, path: '/', maxAgeSeconds });
  redirect(response, withoutKey(visit.path), [cookie]);
  return true;
}

/** The address as it was, character by character, without our parameter. */
function withoutKey(path: string): string {
  const [before = '/', query = ''] = path.split('?', 2);
  const rest = query.split('&').filter((part) => !part.startsWith(`${APP_KEY_PARAMETER}=`));
  // Two slashes at the start would name a host.
  return `${before.replace(/^\/{2,}/, '/')}${rest.length === 0 ? '' : `?${rest.join('&')}`}`;
}

type Redirect = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/** The dashboard host's part: makes a key for the app's host from the browser's session, and leads back with it. */
export function mountAppSignIn(app: FastifyInstance, services: Services): void {
  // Nothing may be made by a HEAD.
  app.get(REDIRECT_PATH, { exposeHeadRoute: false }, (request: Redirect, reply) => answerRedirect(services, request, reply));
}

async function answerRedirect(services: Services, request: Redirect, reply: FastifyReply): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  try {
    const mode = request.headers['sec-fetch-mode'];
    // A page may lead here, and may not fetch this: it would make keys that nobody takes.
    if (mode !== undefined && mode !== 'navigate') throw new DomainError('invalid', 'Only a browser that goes there itself is led on.');
    const { redirect_uri = '', state = '' } = request.query;
    if (typeof redirect_uri !== 'string' || typeof state !== 'string') throw new DomainError('invalid', 'Each parameter comes once.');
    const caller = appRouter.createCaller(contextOf(services, request, reply));
    const { redirect_to } = await caller.applications.signIn({ redirect_uri, state });
    return await reply.redirect(redirect_to, 307);
  } catch (error) {
    const isBrowser = request.headers.accept?.includes('text/html') === true;
    if (reportOf(error).kind === 'unauthenticated' && isBrowser) {
      return reply.redirect(`/login?redirect=${encodeURIComponent(request.url)}`, 303);
    }
    return sendFailure(reply, error);
  }
}
