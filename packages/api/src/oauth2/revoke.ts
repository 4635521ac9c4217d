import type { z } from 'zod';
import type { Call } from '../kernel/procedures.ts';
import { auditedGrant } from './audit.ts';
import { authenticateClient } from './client.ts';
import type { RevokeAnswer, TokenOfClient } from './contract.ts';
import { endTokens, lockGrants } from './end-grants.ts';
import { findToken } from './find-token.ts';
import { OAuth2Refusal, answered } from './refusal.ts';

/**
 * A client gives back what it was given (RFC 7009): by its access or refresh token the whole grant ends, at once. A token that is not its
 * own, or none at all, is as good as ended.
 */
export async function revokeToken(call: Call, input: TokenOfClient): Promise<z.output<typeof RevokeAnswer>> {
  return await answered(async () => {
    const client = await authenticateClient(call, input);
    if (input.token === undefined) throw new OAuth2Refusal('invalid_request', '`token` is missing.');
    const token = await findToken(call, client, input.token);
    if (token === null) return {};
    call.audit.set(auditedGrant(client, token.familyId, token.user.id));
    await lockGrants(call.db, token.user.id);
    const ended = await endTokens(call, token.user.id, { familyId: token.familyId });
    if (ended === 0) call.audit.discard();
    else call.audit.update({ before: { app_id: client.id, user_id: token.user.id, scope: token.scope, expires_at: token.expiresAt } });
    return {};
  });
}
