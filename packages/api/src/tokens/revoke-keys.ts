import { notFound } from '@berth/core';
import { apiKeyObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { requireCover, resolveUser } from '../users/index.ts';
import type { DeleteAllKeys, KeyPath } from './contract.ts';

const revoked = { id: true, tokenName: true, userId: true, expiresAt: true, createdAt: true, lastUsedAt: true } as const;

/** Revokes a session or token at once, on every door and replica. */
export async function deleteKey(call: UserCall, input: z.output<typeof KeyPath>): Promise<void> {
  const user = await resolveUser(call, input.user);
  const key = await call.db.apiKey.findFirst({ where: { id: input.keyid, userId: user.id }, select: revoked });
  if (key !== null) call.audit.set({ resourceId: user.id, target: key.tokenName });
  call.authorize.require(apiKeyObject({ ...(key === null ? {} : { id: key.id }), userId: user.id }));
  if (key === null) throw notFound();
  await requireCover(call, user.id);
  await endKeys(call, user.id, [key.id]);
  call.audit.update({ before: { user_id: user.id, last_used: key.lastUsedAt, expires_at: key.expiresAt, created_at: key.createdAt } });
}

/** Revokes everything that acts as the user, at once; the key of this request too, unless it shall stay. */
export async function deleteAllKeys(call: UserCall, input: z.output<typeof DeleteAllKeys>): Promise<void> {
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: '' });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  await requireCover(call, user.id);
  const kept = input.except_current ? [call.principal.keyId] : [];
  const keys = await call.db.apiKey.findMany({ where: { userId: user.id, id: { notIn: kept } }, select: { id: true } });
  await endKeys(
    call,
    user.id,
    keys.map(({ id }) => id),
  );
  call.audit.update({ additionalFields: { revoked_keys: keys.length } });
}

/** With the access of an application its refresh token goes too, or it would only come back. */
async function endKeys(call: UserCall, userId: string, ids: string[]): Promise<void> {
  const families = await call.db.oAuth2ProviderToken.findMany({ where: { apiKeyId: { in: ids } }, select: { familyId: true } });
  await call.db.oAuth2ProviderToken.deleteMany({ where: { familyId: { in: families.map(({ familyId }) => familyId) } } });
  await call.db.apiKey.deleteMany({ where: { id: { in: ids } } });
  await announceRights(call, userId);
}
