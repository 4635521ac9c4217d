import { notFound } from '@berth/core';
import type { Tx } from '@berth/db';

/**
 * Waits for the turn to change what an account is or holds: its password, roles, status, keys and grants. Until the transaction ends
 * nobody else changes them, so what is read after this stays true. Take it before any row that belongs to the account: two orders would
 * be a deadlock.
 */
export async function lockUser(db: Tx, userId: string): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}

/**
 * Keeps living accounts as they are until the transaction ends, in the order of their ids: for whoever makes a credential, so that none
 * is made behind the back of a deletion, a new password or a revocation of everything. An account that is gone is not found.
 */
export async function holdAccounts(db: Tx, userIds: readonly string[]): Promise<void> {
  const ids = [...new Set(userIds)];
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ANY (${ids}::uuid[]) AND NOT deleted ORDER BY id FOR SHARE`;
  if (rows.length < ids.length) throw notFound();
}
