import type { Prisma, Tx } from '@berth/db';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { sealedContext } from '../sealing/index.ts';
import type { Grant } from './token-answer.ts';

export const linkSelect = {
  providerId: true,
  userId: true,
  sealedAccessToken: true,
  sealedRefreshToken: true,
  sealedTokenExtra: true,
  expiresAt: true,
  failure: true,
  refreshLease: true,
  refreshLeaseUntil: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.ExternalAuthLinkSelect;
export type LinkRow = Prisma.ExternalAuthLinkGetPayload<{ select: typeof linkSelect }>;

export interface LinkKey {
  readonly userId: string;
  readonly providerId: string;
}

export function findLink(db: Tx, { userId, providerId }: LinkKey): Promise<LinkRow | null> {
  return db.externalAuthLink.findUnique({ where: { userId_providerId: { userId, providerId } }, select: linkSelect });
}

const context = (column: 'sealed_access_token' | 'sealed_refresh_token' | 'sealed_token_extra', key: LinkKey): string =>
  sealedContext('external_auth_links', column, [key.userId, key.providerId]);

/** The columns that hold a grant. Without a new refresh token the one that was used stays good. */
export function grantColumns(
  { sealer, clock }: Pick<Services, 'sealer' | 'clock'>,
  key: LinkKey,
  grant: Grant,
): Pick<LinkRow, 'sealedAccessToken' | 'sealedRefreshToken' | 'sealedTokenExtra' | 'expiresAt'> {
  const { accessToken, refreshToken, expiresInSeconds, extra } = grant;
  return {
    sealedAccessToken: sealer.seal(accessToken, context('sealed_access_token', key)),
    sealedRefreshToken: refreshToken === null ? null : sealer.seal(refreshToken, context('sealed_refresh_token', key)),
    sealedTokenExtra: sealer.seal(JSON.stringify(extra), context('sealed_token_extra', key)),
    expiresAt: expiresInSeconds === null ? null : new Date(clock.now().getTime() + expiresInSeconds * 1000),
  };
}

export interface LinkTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly extra: Readonly<Record<string, unknown>>;
}

const Extra = z.record(z.string(), z.unknown());

/** The tokens of a link, or null when their sealing key is gone. */
export function openLink({ sealer, log }: Pick<Services, 'sealer' | 'log'>, row: LinkRow): LinkTokens | null {
  try {
    return {
      accessToken: sealer.open(row.sealedAccessToken, context('sealed_access_token', row)),
      refreshToken: row.sealedRefreshToken === null ? null : sealer.open(row.sealedRefreshToken, context('sealed_refresh_token', row)),
      extra:
        row.sealedTokenExtra === null ? {} : Extra.parse(JSON.parse(sealer.open(row.sealedTokenExtra, context('sealed_token_extra', row)))),
    };
  } catch (error) {
    log.warn({ err: error, user_id: row.userId, provider_id: row.providerId }, 'a stored link to an external service cannot be opened');
    return null;
  }
}
