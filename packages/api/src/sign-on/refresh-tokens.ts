import { setTimeout as sleep } from 'node:timers/promises';
import { NIL_UUID } from '@berth/core';
import { refreshTokenGrant } from 'openid-client';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { writeAuditRow } from '../kernel/audit.ts';
import type { Services } from '../kernel/context.ts';
import { announceRights } from '../kernel/rights.ts';
import { SealError } from '@berth/core/sealer';
import { sealedContext } from '../sealing/index.ts';
import { codehostConfiguration } from './codehost.ts';
import { sealedTokens } from './identity-row.ts';
import { discover } from './oidc.ts';
import { providerTokens } from './person.ts';
import type { ProviderTokens } from './person.ts';
import { isDefinitive, reasonOf } from './provider-http.ts';
import type { SignOnProvider } from './settings.ts';

/** A person's provider is asked at most this often. */
const EVERY_MS = 3_600_000;
/** People per turn, asked at the same time. */
const BATCH = 10;

const Due = z.object({
  id: z.string(),
  user_id: z.string(),
  provider_id: z.string(),
  kind: z.string(),
  subject: z.string(),
  sealed_refresh_token: z.instanceof(Uint8Array),
});
type Due = z.output<typeof Due>;

/**
 * Renews the provider tokens of people whose session was used after the token had expired, so that who lost their account at the
 * provider is out here, too: when the provider refuses for good, the sessions of that link end on every replica at once. A provider that
 * cannot be reached ends nothing. Safe on all replicas at once: each claims its rows first. True when there may be more.
 */
export async function refreshProviderTokens(services: Services): Promise<boolean> {
  const due = await claimDue(services);
  await Promise.all(
    due.map((identity) =>
      refresh(services, identity).catch((error: unknown) => {
        services.log.warn(
          { reason: reasonOf(error), identity_id: identity.id, provider: identity.provider_id },
          'a provider token was not renewed',
        );
      }),
    ),
  );
  return due.length === BATCH;
}

/** A token that ends this soon is renewed before it is handed out. */
const AHEAD_MS = 60_000;
/** How often a provider is asked on behalf of one person's builds. */
const ON_DEMAND_EVERY_MS = 60_000;
/** How often, and after how long, is looked whether another one has renewed it. */
const LOOKS = 8;
const LOOK_AGAIN_MS = 250;

const accountSelect = { id: true, sealedAccessToken: true, tokenExpiresAt: true } as const;

/**
 * The access token of a person's OIDC account, the one used last if there are several; renewed first when it is about to end. Empty
 * when there is none that works. Of all that ask at the same time, one asks the provider.
 */
export async function freshAccessToken(services: Services, userId: string): Promise<string> {
  const { prisma, clock } = services;
  const newest = { where: { userId, kind: 'oidc' }, orderBy: { updatedAt: 'desc' }, select: accountSelect } as const;
  const known = await prisma.userIdentity.findFirst(newest);
  if (known === null) return '';
  const isOver = (endsAt: Date | null, ahead: number): boolean => endsAt !== null && endsAt.getTime() <= clock.now().getTime() + ahead;
  if (!isOver(known.tokenExpiresAt, AHEAD_MS)) return openAccessToken(services, known);
  const due = await claimOne(services, known.id);
  if (due !== null) await refresh(services, due);
  // Somebody else may be asking the provider right now.
  for (let looks = due === null ? LOOKS : 1; looks > 0; looks -= 1) {
    const renewed = await prisma.userIdentity.findUnique({ where: { id: known.id }, select: accountSelect });
    if (renewed === null) return '';
    if (!isOver(renewed.tokenExpiresAt, 0)) return openAccessToken(services, renewed);
    if (looks > 1) await sleep(LOOK_AGAIN_MS);
  }
  return '';
}

async function claimOne({ prisma, clock }: Services, id: string): Promise<Due | null> {
  const now = clock.now();
  const rows = await prisma.$queryRaw`
    UPDATE user_identities SET token_checked_at = ${now}
    WHERE id = ${id}::uuid AND sealed_refresh_token IS NOT NULL
      AND (token_checked_at IS NULL OR token_checked_at <= ${new Date(now.getTime() - ON_DEMAND_EVERY_MS)})
    RETURNING id::text, user_id::text, provider_id, kind, subject, sealed_refresh_token`;
  return z.array(Due).parse(rows)[0] ?? null;
}

function openAccessToken({ sealer }: Services, { id, sealedAccessToken }: { id: string; sealedAccessToken: Uint8Array | null }): string {
  if (sealedAccessToken === null) return '';
  try {
    return sealer.open(sealedAccessToken, sealedContext('user_identities', 'sealed_access_token', [id]));
  } catch (error) {
    if (error instanceof SealError) return '';
    throw error;
  }
}

async function claimDue({ prisma, clock, settings }: Services): Promise<Due[]> {
  const now = clock.now();
  const providerIds = settings.signOn.providers.map(({ id }) => id);
  if (providerIds.length === 0) return [];
  const rows = await prisma.$queryRaw`
    UPDATE user_identities SET token_checked_at = ${now}
    WHERE id IN (
      SELECT i.id FROM user_identities i
      WHERE i.token_expires_at <= ${now} AND i.sealed_refresh_token IS NOT NULL AND i.provider_id = ANY (${providerIds})
        AND (i.token_checked_at IS NULL OR i.token_checked_at <= ${new Date(now.getTime() - EVERY_MS)})
        AND EXISTS (
          SELECT 1 FROM api_keys k
          WHERE k.identity_id = i.id AND k.expires_at > ${now} AND k.last_used_at > coalesce(i.token_checked_at, i.created_at))
      ORDER BY i.token_expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id::text, user_id::text, provider_id, kind, subject, sealed_refresh_token`;
  return z.array(Due).parse(rows);
}

async function refresh(services: Services, identity: Due): Promise<void> {
  const provider = services.settings.signOn.providers.find(({ id, type }) => id === identity.provider_id && type === identity.kind);
  const token = openToken(services, identity);
  if (provider === undefined || token === null) return;
  const now = services.clock.now();
  const configuration = await configurationOf(provider, now);
  try {
    const answer = await refreshTokenGrant(configuration, token);
    const claims = answer.claims();
    if (claims !== undefined && claims.sub !== identity.subject) throw new Error('the provider renewed the token of somebody else');
    await keepTokens(services, identity, providerTokens(answer, now, token));
  } catch (error) {
    if (!isDefinitive(error)) throw error;
    await endSessions(services, identity);
  }
}

/** A value that no known key sealed is as good as none. */
function openToken({ sealer }: Services, identity: Due): string | null {
  try {
    return sealer.open(identity.sealed_refresh_token, sealedContext('user_identities', 'sealed_refresh_token', [identity.id]));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

async function configurationOf(provider: SignOnProvider, now: Date): Promise<Configuration> {
  return provider.type === 'oidc' ? discover(provider, now) : codehostConfiguration(provider);
}

/** The row as it was when its token was taken: a sign-in meanwhile brought newer tokens, and newer sessions, which stay. */
const asTaken = (identity: Due) => ({ id: identity.id, sealedRefreshToken: new Uint8Array(identity.sealed_refresh_token) });

async function keepTokens(services: Services, identity: Due, tokens: ProviderTokens): Promise<void> {
  await services.prisma.userIdentity.updateMany({ where: asTaken(identity), data: sealedTokens(services, identity.id, tokens) });
}

async function endSessions(services: Services, identity: Due): Promise<void> {
  const { id, user_id: userId } = identity;
  const committed: (() => void)[] = [];
  const count = await services.prisma.$transaction(async (db) => {
    const taken = await db.userIdentity.updateMany({
      where: asTaken(identity),
      data: { sealedAccessToken: null, sealedRefreshToken: null, tokenExpiresAt: null },
    });
    if (taken.count === 0) return 0;
    const ended = await db.apiKey.deleteMany({ where: { identityId: id } });
    await writeAuditRow(db, {
      resource: 'api_key',
      action: 'delete',
      resourceId: userId,
      target: '',
      userId: null,
      statusCode: 200,
      request: { requestId: NIL_UUID, ip: '', userAgent: '' },
      additionalFields: {
        automatic_actor: 'Berth',
        automatic_subsystem: 'sign_on',
        provider: identity.provider_id,
        reason: 'the provider took the sign-on back',
        revoked_keys: ended.count,
      },
    });
    await announceRights({ services, db, afterCommit: (run) => void committed.push(run) }, userId);
    return ended.count;
  });
  for (const run of committed) run();
  services.log.info({ identity_id: id, user_id: userId, sessions: count }, 'the provider took a sign-on back; its sessions ended');
}
