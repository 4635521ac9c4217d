import { DomainError, newId } from '@berth/core';
import type { z } from 'zod';
import { completeAttempt } from '../auth/attempt.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_LIFETIME_SECONDS, createApiKey, setSessionCookies } from '../auth/sessions.ts';
import { applyIdpSync } from '../idp-sync/index.ts';
import type { Context, Principal } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import type { Arrival } from './account.ts';
import { accountOf } from './account.ts';
import { readState } from './begin.ts';
import type { CompleteSignOn } from './contract.ts';
import { keepIdentity } from './identity-row.ts';
import { reasonOf } from './provider-http.ts';
import { callbackUrl, findProvider, personOf } from './providers.ts';
import { SignOnRefusal } from './refusal.ts';

export type CompleteCall = Call & Pick<Context, 'response'> & { readonly principal: Principal };

/**
 * Completes a sign-on that this browser began: asks the provider who came back, finds, makes or converts their account, gives it what the
 * claims mean, and opens a session. Throws a `SignOnRefusal`; then no account has changed.
 */
export async function completeSignOn(call: CompleteCall, input: z.output<typeof CompleteSignOn>): Promise<{ redirect_to: string }> {
  const { services } = call;
  const { provider, attempt } = attemptOf(call, input);
  const callback = new URL(callbackUrl(services.settings, provider.type));
  callback.search = input.query;
  const { nonce, verifier } = attempt;
  const person = await personOf(provider, { callback, state: input.state, nonce, verifier }, services.clock.now()).catch(
    (error: unknown) => {
      const facts = { reason: reasonOf(error), provider: provider.id, request_id: call.request.requestId };
      services.log.warn(facts, 'a provider’s answer was refused');
      throw error;
    },
  );

  const session = await call.atomically((db) => signIn({ ...call, db }, { provider, person, convertUserId: attempt.user_id }));
  setSessionCookies(services.settings, call.response, session);
  return { redirect_to: attempt.redirect === '' ? '/' : attempt.redirect };
}

function attemptOf(call: CompleteCall, { kind, state, attempt: cookie }: z.output<typeof CompleteSignOn>) {
  const known = readState(state);
  const provider = known === null ? null : findProvider(call.services.settings, kind, known.providerId);
  if (known === null || provider === null) throw new SignOnRefusal('attempt_unknown');
  try {
    return { provider, attempt: completeAttempt(call, { purpose: known.purpose, cookie, state: known.secret }) };
  } catch (error) {
    if (error instanceof DomainError) throw new SignOnRefusal('attempt_unknown', error);
    throw error;
  }
}

async function signIn(call: CompleteCall, { provider, person, convertUserId }: Arrival): Promise<{ id: string; token: string }> {
  const { db, services, audit } = call;
  const account = await accountOf(call, { provider, person, convertUserId });
  const identityId = await keepIdentity(call, { provider, person, userId: account.userId, identityId: account.identityId ?? newId() });
  await applyIdpSync(call, { userId: account.userId, providerId: provider.id, claims: person.claims.merged, isNew: account.isNew });
  const session = await createApiKey(db, services.clock, {
    userId: account.userId,
    loginType: provider.type,
    identityId,
    lifetimeSeconds: SESSION_LIFETIME_SECONDS,
    absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
    ip: call.request.ip,
  });
  await announceRights(call, account.userId);
  audit.update({
    action: account.isNew ? 'register' : 'login',
    after: { user_id: account.userId, expires_at: session.expiresAt, created_at: session.createdAt },
  });
  return session;
}
