import { scopeCovers } from '@berth/rbac';
import { scopeOfKey } from '../auth/subject-row.ts';
import type { Call } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedGrant } from './audit.ts';
import type { Client } from './client.ts';
import type { OAuth2Token, TokenRequest } from './contract.ts';
import { findByCredential } from './credential.ts';
import { endTokens, lockGrants } from './end-grants.ts';
import { issueTokens, requireLiveUser } from './issue.ts';
import { OAuth2Refusal } from './refusal.ts';
import { keyScopeOf, parseScope } from './scope.ts';

const tokenSelect = {
  id: true,
  userId: true,
  familyId: true,
  apiKeyId: true,
  hashedSecret: true,
  scope: true,
  grantedAt: true,
  expiresAt: true,
  rotatedAt: true,
} as const;

/**
 * Gives a new access token and a new refresh token for a refresh token; the old ones of both end. A refresh token that comes again is in
 * two hands, and nobody can say which is the thief's: the whole family ends with its access (RFC 9700 section 4.14.2). There is no
 * grace for a client that asks twice at the same time, since a thief's request looks the same.
 */
export async function exchangeRefreshToken(call: Call, client: Client, input: TokenRequest): Promise<OAuth2Token> {
  if (input.refresh_token === undefined) throw new OAuth2Refusal('invalid_request', '`refresh_token` is missing.');
  const read = (prefix: string) => call.db.oAuth2ProviderToken.findUnique({ where: { prefix, appId: client.id }, select: tokenSelect });
  const found = await findByCredential(input.refresh_token, read);
  if (found === null) throw refused();
  await lockGrants(call.db, found.userId);
  const token = await findByCredential(input.refresh_token, read);
  if (token === null) throw refused();
  if (token.rotatedAt !== null) {
    call.audit.set({
      ...auditedGrant(client, token.familyId, token.userId),
      action: 'delete',
      additionalFields: { app_id: client.id, reason: 'refresh token used twice' },
    });
    await endTokens(call, token.userId, { familyId: token.familyId });
    throw refused();
  }
  const now = call.services.clock.now();
  if (token.expiresAt <= now) throw refused();
  const accessScope = narrowed(token.scope, input.scope);
  await requireLiveUser(call, token.userId);
  await call.db.oAuth2ProviderToken.update({ where: { id: token.id }, data: { rotatedAt: now }, select: { id: true } });
  await call.db.apiKey.deleteMany({ where: { id: token.apiKeyId ?? '' } });
  await announceRights(call, token.userId);
  const { userId, familyId, grantedAt, scope } = token;
  // Not recorded: the person's approval and the first exchange are, and a client refreshes every hour.
  return await issueTokens(call, { client, userId, familyId, grantedAt, scope, accessScope });
}

/** Less than was given may be asked for, more may not. */
function narrowed(given: string, asked: string | undefined): string {
  if (asked === undefined || asked === '') return given;
  const scope = parseScope(asked);
  const keyScope = (text: string) => scopeOfKey(keyScopeOf(text).scope, keyScopeOf(text).permissions);
  if (scope === null || !scopeCovers(keyScope(given), keyScope(scope))) {
    throw new OAuth2Refusal('invalid_scope', 'The scope is unknown or more than was given.');
  }
  return scope;
}

function refused(): OAuth2Refusal {
  return new OAuth2Refusal('invalid_grant', 'The refresh token is not valid: unknown, expired, revoked or used already.');
}
