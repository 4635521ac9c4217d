import { newId } from '@berth/core';
import type { ObjectRef } from '@berth/rbac';
import { scopeCovers } from '@berth/rbac';
import type { z } from 'zod';
import { scopeOfKey } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireMayMint } from '../tokens/mint.ts';
import { auditedGrant } from './audit.ts';
import type { CheckedRequest } from './authorization-request.ts';
import { checkRequest } from './authorization-request.ts';
import type { ApproveAuthorization, Authorization, AuthorizationAnswer, AuthorizationRequest } from './contract.ts';
import { newCredential } from './credential.ts';
import { describeScopes, keyScopeOf } from './scope.ts';

const CODE_MS = 10 * 60 * 1000;

/** What an application was given by a user. */
export function grantObject(userId: string): ObjectRef<'oauth2_app_code_token'> {
  return { type: 'oauth2_app_code_token', owner: userId };
}

/** What an application asks the caller for; the page that shows it gives nothing yet. */
export async function readAuthorization(call: UserCall, input: z.output<typeof AuthorizationRequest>): Promise<Authorization> {
  call.authorize.require(grantObject(call.principal.userId), { sitewide: true });
  const request = await checkRequest(call, input);
  const { id, name, icon } = request.client;
  return {
    app: { id, name, icon },
    redirect_uri: request.redirectUri,
    scope: request.scope,
    scopes: request.scope === '' ? [] : describeScopes(request.scope),
    has_consent: request.refusal === null && (await hasConsent(call, request)),
    refusal: request.refusal,
  };
}

/**
 * Answers an application by way of the browser: with a code of ten minutes, or with the refusal. The credential in use must be able to do
 * what is asked for.
 */
export async function approveAuthorization(
  call: UserCall,
  input: z.output<typeof ApproveAuthorization>,
): Promise<z.output<typeof AuthorizationAnswer>> {
  const { userId } = call.principal;
  call.authorize.require(grantObject(userId), { sitewide: true });
  const request = await checkRequest(call, input);
  if (request.refusal !== null) return { redirect_url: request.refusal.redirect_url };
  if (!input.approve) {
    return { redirect_url: request.redirect({ error: 'access_denied', error_description: 'the user denied the request' }) };
  }
  const { client, scope } = request;
  const id = newId();
  call.audit.set(auditedGrant(client, id, userId));
  await requireMayMint(call, { ...keyScopeOf(scope), userId });
  const code = newCredential();
  const now = call.services.clock.now();
  const expiresAt = new Date(now.getTime() + CODE_MS);
  await call.db.oAuth2ProviderCode.create({
    data: {
      id,
      appId: client.id,
      userId,
      ...code.stored,
      redirectUri: request.redirectUri,
      redirectUriGiven: request.redirectUriGiven,
      codeChallenge: request.codeChallenge,
      scope,
      createdAt: now,
      expiresAt,
    },
    select: { id: true },
  });
  call.audit.update({ after: { app_id: client.id, user_id: userId, scope, expires_at: expiresAt } });
  return { redirect_url: request.redirect({ code: code.text }) };
}

/** A public client is never known again: anything on the same machine could pretend to be it (RFC 8252 section 8.6). */
async function hasConsent(call: UserCall, { client, scope }: CheckedRequest): Promise<boolean> {
  if (client.clientType === 'public') return false;
  const rows = await call.db.oAuth2ProviderToken.findMany({
    where: { appId: client.id, userId: call.principal.userId, rotatedAt: null, expiresAt: { gt: call.services.clock.now() } },
    select: { scope: true },
    take: 100,
  });
  const keyScope = (text: string) => scopeOfKey(keyScopeOf(text).scope, keyScopeOf(text).permissions);
  return rows.some((row) => scopeCovers(keyScope(row.scope), keyScope(scope)));
}
