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

/** Means nothing; no other advisory lock uses it. */
const OWNERS_LOCK = 7_242_690_114;

/**
 * Whether nobody but `userId` is an owner who can sign in. Whoever takes an owner away asks here while holding the owner's row
 * (`lockUser`): several at the same time wait for each other, by a lock of its own, since rows of several owners would be locked in any
 * order. The answer holds until the transaction ends.
 */
export async function isLastOwner(db: Tx, userId: string): Promise<boolean> {
  const owner = { siteRoles: { has: 'owner' }, deleted: false, status: { not: 'suspended' } };
  if ((await db.user.count({ where: { ...owner, id: userId } })) === 0) return false;
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${OWNERS_LOCK}::bigint)`;
  return (await db.user.count({ where: { ...owner, id: { not: userId } } })) === 0;
}

/**
 * Refuses, as a conflict, a change that would leave the deployment without an owner who can sign in: call it, holding the row, before
 * `userId` is suspended, deleted or loses the owner role.
 */
export async function requireAnotherOwner(db: Tx, userId: string): Promise<void> {
  if (!(await isLastOwner(db, userId))) return;
  throw conflict('This is the last owner of the deployment. Give somebody else the owner role first.');
}

/**
 * Keeps an account from being deleted until the transaction ends: call it before giving the account something that deletion asks
 * about. An account that was deleted meanwhile is not found.
 */
export async function holdUser(db: Tx, userId: string): Promise<void> {
  const rows = Ids.parse(await db.$queryRaw`SELECT id::text FROM users WHERE id = ${userId}::uuid AND NOT deleted FOR KEY SHARE`);
  if (rows.length === 0) throw notFound();
}
