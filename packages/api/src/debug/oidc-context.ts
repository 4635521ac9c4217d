import { invalid } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveUser } from '../users/index.ts';
import { OidcContext } from './contract.ts';

/** What the OpenID Connect provider said of a user when they last signed in: to find out why a sync did what it did. */
export async function oidcContext(call: UserCall, input: { user: string }): Promise<z.output<typeof OidcContext>> {
  call.authorize.require({ type: 'debug_info' }, { sitewide: true });
  const user = await resolveUser(call, input.user);
  const identity = await call.db.userIdentity.findFirst({
    where: { userId: user.id, kind: 'oidc' },
    orderBy: { updatedAt: 'desc' },
    select: { idTokenClaims: true, userInfoClaims: true, mergedClaims: true },
  });
  if (identity === null) throw invalid('This user has never signed in by OpenID Connect.');
  return OidcContext.parse({
    id_token_claims: identity.idTokenClaims,
    user_info_claims: identity.userInfoClaims,
    merged_claims: identity.mergedClaims,
  });
}
