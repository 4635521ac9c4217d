import type { Prisma } from '@berth/db';
import { writeAuditRow } from '../kernel/audit.ts';
import type { Call } from '../kernel/procedures.ts';
import { sealedContext } from '../sealing/index.ts';
import type { Claims, Person, ProviderTokens } from './person.ts';
import type { SignOnProvider } from './settings.ts';

/** Writes the link of an account to a provider's account, with what the provider said and gave at this sign-in; a new link is audited. */
export async function keepIdentity(
  call: Pick<Call, 'db' | 'services' | 'request'>,
  { provider, person, userId, identityId }: { provider: SignOnProvider; person: Person; userId: string; identityId: string },
): Promise<string> {
  const { db, services } = call;
  const now = services.clock.now();
  const said = {
    providerId: provider.id,
    ...sealedTokens(services, identityId, person.tokens),
    tokenCheckedAt: now,
    idTokenClaims: json(person.claims.idToken),
    userInfoClaims: json(person.claims.userInfo),
    mergedClaims: json(person.claims.merged),
    updatedAt: now,
  };
  const known = await db.userIdentity.updateMany({ where: { id: identityId, userId }, data: said });
  if (known.count > 0) return identityId;
  const { issuer, subject } = person;
  await db.userIdentity.create({
    data: { id: identityId, userId, kind: provider.type, issuer, subject, createdAt: now, ...said },
    select: { id: true },
  });
  await writeAuditRow(db, {
    resource: 'user_identity',
    action: 'create',
    resourceId: identityId,
    target: provider.id,
    after: { user_id: userId, provider_id: provider.id, issuer, subject },
    userId,
    statusCode: 200,
    request: call.request,
  });
  return identityId;
}

/** The columns of a provider's tokens, sealed for this row. */
export function sealedTokens(
  { sealer }: Pick<Call['services'], 'sealer'>,
  identityId: string,
  { access, refresh, expiresAt }: ProviderTokens,
): { sealedAccessToken: Uint8Array<ArrayBuffer> | null; sealedRefreshToken: Uint8Array<ArrayBuffer> | null; tokenExpiresAt: Date | null } {
  return {
    sealedAccessToken: access === null ? null : sealer.seal(access, sealedContext('user_identities', 'sealed_access_token', [identityId])),
    sealedRefreshToken:
      refresh === null ? null : sealer.seal(refresh, sealedContext('user_identities', 'sealed_refresh_token', [identityId])),
    tokenExpiresAt: expiresAt,
  };
}

function json(claims: Claims): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(claims));
}
