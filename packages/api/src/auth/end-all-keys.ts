import type { Tx } from '@berth/db';

/**
 * Ends everything that speaks for a user without a password: sessions, tokens, and what OAuth2 applications hold, so that none of them
 * can be renewed. The caller holds the account (`lockUser`, or has changed its row), and announces it (`announceRights`) in the same
 * transaction.
 */
export async function endAllKeys(db: Tx, userId: string): Promise<void> {
  // The keys first, as where an application is deleted: their grants refer to them.
  await db.apiKey.deleteMany({ where: { userId } });
  await db.oAuth2ProviderToken.deleteMany({ where: { userId } });
  await db.oAuth2ProviderCode.deleteMany({ where: { userId } });
  await db.oAuth2ProviderDeviceCode.deleteMany({ where: { userId } });
}
