import { newId } from '@berth/core';
import type { OAuth2ProviderToken, Prisma, PrismaClient, UserIdentity } from '@berth/db';
import { uniqueName } from './words.ts';

export interface GivenIdentity extends Partial<Prisma.UserIdentityUncheckedCreateInput> {
  readonly userId: string;
}

/** An account at an OpenID Connect provider that signs in as the user; without tokens. */
export async function givenIdentity(prisma: PrismaClient, overrides: GivenIdentity): Promise<UserIdentity> {
  const id = newId();
  return prisma.userIdentity.create({
    data: { id, providerId: 'oidc', kind: 'oidc', issuer: 'https://id.example.com', subject: id, ...overrides },
  });
}

export interface GivenGrant extends Partial<Prisma.OAuth2ProviderTokenUncheckedCreateInput> {
  readonly userId: string;
}

/** What an OAuth2 application holds of a user: a refresh token that is good for an hour, of an application of its own unless `appId` is given. */
export async function givenOAuth2Grant(prisma: PrismaClient, overrides: GivenGrant): Promise<OAuth2ProviderToken> {
  const appId =
    overrides.appId ??
    (await prisma.oAuth2ProviderApp.create({ data: { id: newId(), name: uniqueName('app'), callbackUrl: 'https://app.example.com' } })).id;
  const now = new Date();
  return prisma.oAuth2ProviderToken.create({
    data: {
      id: newId(),
      familyId: newId(),
      prefix: newId(),
      hashedSecret: new Uint8Array(32),
      scope: 'all',
      grantedAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
      ...overrides,
      appId,
    },
  });
}
