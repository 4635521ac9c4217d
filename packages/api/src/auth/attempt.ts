import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidField, localPath, unauthenticated } from '@berth/core';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';
import type { ResponseSink, Services, Settings } from '../kernel/context.ts';

/** Time to sign in at the other service, second factor and consent included. */
const ATTEMPT_SECONDS = 600;
/** Longer than any that we make. */
const COOKIE_LENGTH_MAX = 8192;

/**
 * What a browser carries, sealed in a cookie, while its person is at another service to sign in or to link an account. Nothing of it is
 * kept here, so any replica can complete what another one began.
 */
const Attempt = z.object({
  /** Comes back from the other service: that it equals this one proves that this browser began the attempt. */
  state: z.string(),
  /** The PKCE secret behind the challenge. */
  verifier: z.string(),
  /** What an ID token must repeat. */
  nonce: z.string(),
  /** Where to go on afterwards, a path of this site; empty: nowhere in particular. */
  redirect: z.string(),
  /** The user who began it, where one was signed in. */
  user_id: z.string(),
  expires_at: z.number(),
});
export type Attempt = z.output<typeof Attempt>;

interface Call {
  readonly services: Pick<Services, 'clock' | 'sealer'> & { readonly settings: Pick<Settings, 'accessUrl'> };
  readonly response: Pick<ResponseSink, 'setCookie'>;
}

/** The cookie of attempts for `purpose`, such as `sign-on:staff` or `external-auth:github`; two purposes do not disturb each other. */
export function attemptCookieName(settings: Pick<Settings, 'accessUrl'>, purpose: string): string {
  return `${settings.accessUrl.startsWith('https:') ? '__Host-' : ''}berth_attempt.${purpose.replaceAll(':', '.')}`;
}

const sealContext = (purpose: string): string => `attempt:${purpose}`;

/**
 * Begins an attempt: sets its cookie and returns what goes into the address of the other service. A `redirect` that is not a path of
 * this site is dropped.
 */
export async function beginAttempt(
  { services, response }: Call,
  { purpose, redirect, userId = '' }: { purpose: string; redirect?: string | undefined; userId?: string },
): Promise<{ state: string; challenge: string; nonce: string }> {
  const attempt: Attempt = {
    state: randomState(),
    verifier: randomPKCECodeVerifier(),
    nonce: randomNonce(),
    redirect: localPath(redirect) ?? '',
    user_id: userId,
    expires_at: services.clock.now().getTime() + ATTEMPT_SECONDS * 1000,
  };
  response.setCookie({
    name: attemptCookieName(services.settings, purpose),
    value: Buffer.from(services.sealer.seal(JSON.stringify(attempt), sealContext(purpose))).toString('base64url'),
    httpOnly: true,
    maxAgeSeconds: ATTEMPT_SECONDS,
  });
  return { state: attempt.state, challenge: await calculatePKCECodeChallenge(attempt.verifier), nonce: attempt.nonce };
}

/**
 * The attempt that this browser began, found by the cookie of `purpose` that the door read and the `state` that came back. Its cookie is
 * removed, so an attempt is completed once.
 *
 * @throws invalid without a state; unauthenticated when the cookie is absent, over, of another purpose, or of another state.
 */
export function completeAttempt(
  { services, response }: Call,
  { purpose, cookie, state }: { purpose: string; cookie: string; state: string },
): Attempt {
  if (state === '') throw invalidField('state', 'must be what this server sent along');
  const attempt = openCookie(services, purpose, cookie);
  if (attempt === null || attempt.expires_at <= services.clock.now().getTime() || !sameSecret(attempt.state, state)) {
    throw unauthenticated('This attempt was begun elsewhere or too long ago. Begin again.');
  }
  response.setCookie({ name: attemptCookieName(services.settings, purpose), value: '', httpOnly: true, maxAgeSeconds: 0 });
  return attempt;
}

function openCookie({ sealer }: Pick<Services, 'sealer'>, purpose: string, cookie: string): Attempt | null {
  if (cookie === '' || cookie.length > COOKIE_LENGTH_MAX) return null;
  try {
    return Attempt.parse(JSON.parse(sealer.open(Buffer.from(cookie, 'base64url'), sealContext(purpose))));
  } catch {
    return null;
  }
}

function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
