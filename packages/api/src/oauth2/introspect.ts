import type { z } from 'zod';
import type { Call } from '../kernel/procedures.ts';
import { authenticateClient } from './client.ts';
import type { IntrospectAnswer, TokenOfClient } from './contract.ts';
import { findToken } from './find-token.ts';
import { OAuth2Refusal, answered } from './refusal.ts';

/**
 * Tells a client with a secret about a token of its own (RFC 7662). Of other clients' tokens, ended ones and those of people who may not
 * sign in now, it learns that they are not active and nothing else.
 */
export async function introspectToken(call: Call, input: TokenOfClient): Promise<z.output<typeof IntrospectAnswer>> {
  return await answered(async () => {
    const client = await authenticateClient(call, input);
    if (client.clientType === 'public') throw new OAuth2Refusal('invalid_client', 'Only clients with a secret may ask about tokens.');
    if (input.token === undefined) throw new OAuth2Refusal('invalid_request', '`token` is missing.');
    const token = await findToken(call, client, input.token);
    const isActive =
      token !== null &&
      !token.isUsed &&
      token.expiresAt > call.services.clock.now() &&
      !token.user.deleted &&
      token.user.status !== 'suspended';
    if (!isActive) return { active: false };
    return {
      active: true,
      scope: token.scope,
      client_id: client.id,
      username: token.user.username,
      sub: token.user.id,
      ...(token.kind === 'access' ? { token_type: 'Bearer' as const } : {}),
      iss: call.services.settings.accessUrl,
      iat: seconds(token.createdAt),
      exp: seconds(token.expiresAt),
    };
  });
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
