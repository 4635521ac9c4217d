import { createHash, timingSafeEqual } from 'node:crypto';
import type { Call } from '../kernel/procedures.ts';
import { auditedGrant } from './audit.ts';
import type { Client } from './client.ts';
import type { OAuth2Token, TokenRequest } from './contract.ts';
import { findByCredential } from './credential.ts';
import { endTokens, lockGrants } from './end-grants.ts';
import { issueTokens, requireLiveUser } from './issue.ts';
import { OAuth2Refusal } from './refusal.ts';

const codeSelect = {
  id: true,
  appId: true,
  userId: true,
  hashedSecret: true,
  redirectUri: true,
  redirectUriGiven: true,
  codeChallenge: true,
  scope: true,
  createdAt: true,
  expiresAt: true,
  usedAt: true,
} as const;

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Gives tokens for an authorization code, once. A code that comes again was stolen from somebody: everything that came of it ends (RFC
 * 6749 section 4.1.2). Of two at the same time one is such a second use.
 */
export async function exchangeCode(call: Call, client: Client, input: TokenRequest): Promise<OAuth2Token> {
  if (input.code === undefined) throw new OAuth2Refusal('invalid_request', '`code` is missing.');
  const read = (prefix: string) => call.db.oAuth2ProviderCode.findUnique({ where: { prefix, appId: client.id }, select: codeSelect });
  const found = await findByCredential(input.code, read);
  if (found === null) throw refused();
  await lockGrants(call.db, found.userId);
  const code = await findByCredential(input.code, read);
  if (code === null) throw refused();
  const now = call.services.clock.now();
  if (code.usedAt !== null) {
    call.audit.set({ ...auditedGrant(client, code.id, code.userId), action: 'delete' });
    const ended = await endTokens(call, code.userId, { familyId: code.id });
    if (ended === 0) call.audit.discard();
    else call.audit.update({ additionalFields: { app_id: client.id, reason: 'authorization code used twice' } });
    throw refused();
  }
  if (code.expiresAt <= now) throw refused();
  const isSameRedirect = code.redirectUriGiven
    ? input.redirect_uri === code.redirectUri
    : input.redirect_uri === undefined || input.redirect_uri === code.redirectUri;
  if (!isSameRedirect) throw new OAuth2Refusal('invalid_grant', '`redirect_uri` is not the one of the authorization request.');
  if (!verifierFits(input.code_verifier, code.codeChallenge)) {
    throw new OAuth2Refusal('invalid_grant', '`code_verifier` does not fit the `code_challenge` of the authorization request.');
  }
  await requireLiveUser(call, code.userId);
  await call.db.oAuth2ProviderCode.update({ where: { id: code.id }, data: { usedAt: now }, select: { id: true } });
  const tokens = await issueTokens(call, { client, userId: code.userId, familyId: code.id, grantedAt: code.createdAt, scope: code.scope });
  call.audit.set({
    ...auditedGrant(client, code.id, code.userId),
    after: { app_id: client.id, user_id: code.userId, scope: code.scope, expires_at: tokens.expiry },
  });
  return tokens;
}

/** A challenge needs its verifier, and a verifier its challenge: whoever could leave one out could take another's code. */
function verifierFits(verifier: string | undefined, challenge: string): boolean {
  if (challenge === '') return verifier === undefined;
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  const [actual, expected] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function refused(): OAuth2Refusal {
  return new OAuth2Refusal('invalid_grant', 'The code is not valid: unknown, expired or used already.');
}
