import { conflict, forbidden, notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { coversRightsOf } from '@berth/rbac';
import { z } from 'zod';
import { readSubject } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';

/**
 * Nobody acts on a principal with more rights than their own: refuses with 403 unless the caller holds everything that `userId` was
 * given. Oneself is never refused.
 */
export async function requireCover(call: Pick<UserCall, 'db' | 'principal'>, userId: string): Promise<void> {
  if (userId === call.principal.userId) return;
  const target = await readSubject(call.db, userId);
  if (target === null || coversRightsOf(call.principal.subject, target.subject)) return;
  throw forbidden('This account has rights that you do not have, so you may not change it.');
}

const Ids = z.array(z.object({ id: z.string() }));

/**
 * Refuses, as a conflict, a change that would leave the deployment without an owner who can sign in: call it before `userId` is
 * suspended, deleted or loses the owner role. Changes of several owners at the same time wait for each other here; of others nothing
 * is locked.
 */
export async function requireAnotherOwner(db: Tx, userId: string): Promise<void> {
  const owners = Ids.parse(
    await db.$queryRaw`
      SELECT id::text FROM users WHERE 'owner' = ANY (site_roles) AND NOT deleted AND status <> 'suspended'
        AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId}::uuid AND 'owner' = ANY (u.site_roles))
      ORDER BY id FOR UPDATE`,
  );
  if (owners.length === 1 && owners[0]?.id === userId) {
    throw conflict('This is the last owner of the deployment. Give somebody else the owner role first.');
  }
}

/**
 * Keeps an account from being deleted until the transaction ends: call it before giving the account something that deletion asks
 * about. An account that was deleted meanwhile is not found.
 */
export async function holdUser(db: Tx, userId: string): Promise<void> {
  const rows = Ids.parse(await db.$queryRaw`SELECT id::text FROM users WHERE id = ${userId}::uuid AND NOT deleted FOR KEY SHARE`);
  if (rows.length === 0) throw notFound();
}
