import type { Prisma, Tx } from '@berth/db';
import { lockUser } from '../auth/lock-user.ts';
import type { Call } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';

/**
 * Whatever gives or ends the access of applications to a user's account waits here for its turn, so that nothing is given behind the back
 * of a revocation.
 */
export async function lockGrants(db: Tx, userId: string): Promise<void> {
  await lockUser(db, userId);
}

/** Ends tokens of one user with their access, at once. The caller holds `lockGrants`. Returns how many rows there were. */
export async function endTokens(
  call: Pick<Call, 'db' | 'services' | 'afterCommit'>,
  userId: string,
  where: Prisma.OAuth2ProviderTokenWhereInput,
): Promise<number> {
  const rows = await call.db.oAuth2ProviderToken.findMany({ where: { AND: [where, { userId }] }, select: { id: true, apiKeyId: true } });
  if (rows.length === 0) return 0;
  await call.db.apiKey.deleteMany({ where: { id: { in: rows.flatMap(({ apiKeyId }) => apiKeyId ?? []) } } });
  await call.db.oAuth2ProviderToken.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  await announceRights(call, userId);
  return rows.length;
}

/** Takes from an application (or from all) everything that a user gave: tokens, codes on their way, approved devices. */
export async function endGrants(
  call: Pick<Call, 'db' | 'services' | 'afterCommit'>,
  userId: string,
  { appId, exceptFamily }: { appId?: string; exceptFamily?: string } = {},
): Promise<number> {
  await lockGrants(call.db, userId);
  const ofApp = appId === undefined ? {} : { appId };
  const tokens = await endTokens(call, userId, { ...ofApp, ...(exceptFamily === undefined ? {} : { familyId: { not: exceptFamily } }) });
  const codes = await call.db.oAuth2ProviderCode.deleteMany({ where: { ...ofApp, userId, usedAt: null } });
  const devices = await call.db.oAuth2ProviderDeviceCode.deleteMany({ where: { ...ofApp, userId, status: 'approved' } });
  return tokens + codes.count + devices.count;
}

/** Ends the access of an application that is about to be deleted, for everybody. The row is locked, so that none is given meanwhile. */
export async function endGrantsOfApp(call: Pick<Call, 'db' | 'services' | 'afterCommit'>, appId: string): Promise<void> {
  await call.db.$executeRaw`SELECT 1 FROM oauth2_provider_apps WHERE id = ${appId}::uuid FOR UPDATE`;
  const users = await call.db.oAuth2ProviderToken.findMany({ where: { appId }, distinct: ['userId'], select: { userId: true } });
  await call.db.apiKey.deleteMany({ where: { oauth2Token: { appId } } });
  for (const { userId } of users) await announceRights(call, userId);
}
