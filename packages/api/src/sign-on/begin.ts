import { localPath } from '@berth/core';
import { randomToken } from '@berth/core/secrets';
import type { z } from 'zod';
import { attemptCookieName, beginAttempt } from '../auth/attempt.ts';
import type { Context, Principal, Settings } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import type { BeginSignOn } from './contract.ts';
import { openConversion } from './conversion-state.ts';
import { reasonOf } from './provider-http.ts';
import { addressOf, callbackUrl, findProvider } from './providers.ts';
import { SignOnRefusal } from './refusal.ts';

const TAB_LENGTH = 10;

/** What the cookie of an attempt is sealed for: one per provider and tab, so that two tabs do not end each other's sign-on. */
const attemptPurpose = (providerId: string, tab: string): string => `sign-on:${providerId}:${tab}`;

/** `<provider>.<tab>.<secret>`: the state names its cookie. */
const STATE = /^([a-z0-9-]{1,64})\.([0-9A-Za-z]{10})\.([\w-]{16,128})$/;

/** What a state names; null when it is none of ours. */
export function readState(state: string): { providerId: string; purpose: string; secret: string } | null {
  const [, providerId, tab, secret] = STATE.exec(state) ?? [];
  if (providerId === undefined || tab === undefined || secret === undefined) return null;
  return { providerId, purpose: attemptPurpose(providerId, tab), secret };
}

/** The cookie of the attempt that a state belongs to; null when it is none of ours. */
export function signOnCookie(settings: Pick<Settings, 'accessUrl'>, state: string): string | null {
  const known = readState(state);
  return known === null ? null : attemptCookieName(settings, known.purpose);
}

/**
 * Begins a sign-on: sets the cookie of the attempt and answers the provider's page. With a conversion state the account that it is for
 * must be signed in. Throws a `SignOnRefusal`.
 */
export async function beginSignOn(
  call: Pick<Call, 'services'> & Pick<Context, 'response'> & { readonly principal: Principal },
  input: z.output<typeof BeginSignOn>,
): Promise<{ redirect_to: string }> {
  const { services, principal } = call;
  const provider = findProvider(services.settings, input.kind, input.provider);
  if (provider === null) throw new SignOnRefusal('unknown_provider');
  const conversion = input.oidc_merge_state === undefined ? null : openConversion(services, input.oidc_merge_state);
  if (conversion !== null) {
    if (conversion.toType !== provider.type) throw new SignOnRefusal('convert_expired');
    if (principal.kind !== 'user' || principal.userId !== conversion.userId) throw new SignOnRefusal('convert_other_account');
  }
  const tab = randomToken(TAB_LENGTH);
  const { state, challenge, nonce } = await beginAttempt(call, {
    purpose: attemptPurpose(provider.id, tab),
    redirect: signedInPath(input.redirect),
    userId: conversion?.userId ?? '',
  });
  const redirectUri = callbackUrl(services.settings, provider.type);
  const request = { redirectUri, state: `${provider.id}.${tab}.${state}`, challenge, nonce };
  try {
    return { redirect_to: await addressOf(provider, request, services.clock.now()) };
  } catch (error) {
    services.log.warn({ reason: reasonOf(error), provider: provider.id }, 'a sign-on could not begin');
    throw error;
  }
}

/** A path of this server that is worth going to after signing in: nowhere else, and not back to signing in. */
function signedInPath(target: string | undefined): string {
  const path = localPath(target);
  return path === undefined || /^\/(?:login|setup|reset-password)(?:[/?#]|$)/.test(path) ? '/' : path;
}
