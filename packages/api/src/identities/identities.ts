import { conflict, notFound } from '@berth/core';
import { userObject } from '@berth/rbac';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { requireCover, resolveUser } from '../users/index.ts';
import { UserIdentity } from './contract.ts';

/** More than a person has; a bound all the same. */
const LISTED_MAX = 100;

/** The linked accounts of a user, oldest first. */
export async function listIdentities(call: UserCall, input: { user: string }): Promise<UserIdentity[]> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const rows = await call.db.userIdentity.findMany({
    where: { userId: user.id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: LISTED_MAX,
    select: { id: true, userId: true, providerId: true, kind: true, issuer: true, subject: true, createdAt: true, updatedAt: true },
  });
  const { providers } = call.services.settings.signOn;
  return rows.map((row) => ({
    id: row.id,
    user_id: row.userId,
    provider_id: row.providerId,
    provider_display_name: providers.find(({ id }) => id === row.providerId)?.display_name ?? '',
    kind: UserIdentity.shape.kind.parse(row.kind),
    issuer: row.issuer,
    subject: row.subject,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

/**
 * Removes a linked account, and with it the sessions that were opened by it, on every replica at once. Nobody locks themselves out by
 * it; whoever may manage accounts may, so that the account can be claimed by another account of the provider.
 */
export async function unlinkIdentity(call: UserCall, input: { user: string; identity: string }): Promise<Confirmation> {
  const { db } = call;
  const user = await resolveUser(call, input.user);
  const identity = await db.userIdentity.findFirst({
    where: { id: input.identity, userId: user.id },
    select: { id: true, providerId: true, issuer: true, subject: true },
  });
  call.audit.set({ resourceId: identity?.id ?? user.id, target: identity?.providerId ?? '' });
  call.authorize.require(userObject(user.id));
  if (identity === null) throw notFound();
  await requireCover(call, user.id);
  // Two links that are removed at the same time must not both be the other's way in.
  await db.$executeRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR UPDATE`;
  const others = await db.userIdentity.count({ where: { userId: user.id, id: { not: identity.id } } });
  const isByAdministrator = user.id !== call.principal.userId;
  if (others === 0 && user.loginType !== 'password' && !isByAdministrator) {
    throw conflict('This is your only way to sign in. An administrator can remove it.');
  }
  await db.userIdentity.delete({ where: { id: identity.id }, select: { id: true } });
  await announceRights(call, user.id);
  const { providerId: provider_id, issuer, subject } = identity;
  call.audit.update({ before: { user_id: user.id, provider_id, issuer, subject } });
  return confirmed('The linked account is removed.');
}
