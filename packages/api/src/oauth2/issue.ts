import { newId } from '@berth/core';
import { createApiKey } from '../auth/sessions.ts';
import type { Call } from '../kernel/procedures.ts';
import type { Client } from './client.ts';
import type { OAuth2Token } from './contract.ts';
import { newCredential } from './credential.ts';
import { OAuth2Refusal } from './refusal.ts';
import { keyScopeOf } from './scope.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ACCESS_TOKEN_SECONDS = 3600;
/** A refresh token that is not used for this long ends. */
const REFRESH_TOKEN_MS = 30 * DAY_MS;
/** However often it is refreshed, a grant ends this long after the person gave it. */
const GRANT_MS = 365 * DAY_MS;

export interface Grantee {
  readonly client: Client;
  readonly userId: string;
  /** The code, or the device code, that everything comes from. */
  readonly familyId: string;
  readonly grantedAt: Date;
  /** What the person gave. */
  readonly scope: string;
  /** What the access token gets of it; the same unless less was asked for. */
  readonly accessScope?: string;
}

/** Refuses for a user who is suspended or deleted. The grant itself stays: a suspension may end. */
export async function requireLiveUser(call: Pick<Call, 'db'>, userId: string): Promise<void> {
  const user = await call.db.user.findFirst({
    where: { id: userId, deleted: false, status: { not: 'suspended' } },
    select: { id: true },
  });
  if (user === null) throw new OAuth2Refusal('invalid_grant', 'The account may not sign in now.');
}

/** Makes an access token, an API key of an hour that no use extends, and the refresh token that goes with it. */
export async function issueTokens(call: Call, grantee: Grantee): Promise<OAuth2Token> {
  const { client, userId, familyId, grantedAt, scope, accessScope = scope } = grantee;
  const now = call.services.clock.now();
  const refresh = newCredential();
  const access = await createApiKey(call.db, call.services.clock, {
    userId,
    loginType: 'oauth2_provider_app',
    ...keyScopeOf(accessScope),
    lifetimeSeconds: ACCESS_TOKEN_SECONDS,
    ip: call.request.ip,
  });
  await call.db.oAuth2ProviderToken.create({
    data: {
      id: newId(),
      appId: client.id,
      userId,
      familyId,
      apiKeyId: access.id,
      ...refresh.stored,
      scope,
      grantedAt,
      createdAt: now,
      expiresAt: new Date(Math.min(now.getTime() + REFRESH_TOKEN_MS, grantedAt.getTime() + GRANT_MS)),
    },
    select: { id: true },
  });
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    expiry: access.expiresAt.toISOString(),
    refresh_token: refresh.text,
    scope: accessScope,
  };
}
