import { notFound } from '@berth/core';
import { apiKeyObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { endGrants, endTokens, lockGrants } from '../oauth2/index.ts';
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
  await lockGrants(call.db, user.id);
  // Of many who revoke it at the same time, one does.
  if ((await call.db.apiKey.count({ where: { id: key.id } })) === 0) throw notFound();
  const access = await call.db.oAuth2ProviderToken.findFirst({ where: { apiKeyId: key.id }, select: { familyId: true } });
  // With the access of an application its refresh token goes too, or it would only come back.
  if (access !== null) await endTokens(call, user.id, { familyId: access.familyId });
  await call.db.apiKey.deleteMany({ where: { id: key.id } });
  await announceRights(call, user.id);
  call.audit.update({ before: { user_id: user.id, last_used: key.lastUsedAt, expires_at: key.expiresAt, created_at: key.createdAt } });
}

/** Revokes everything that acts as the user, at once; the key of this request too, unless it shall stay. */
export async function deleteAllKeys(call: UserCall, input: z.output<typeof DeleteAllKeys>): Promise<void> {
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: '' });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  await requireCover(call, user.id);
  const kept = input.except_current ? [call.principal.keyId] : [];
  const ofApplication = await call.db.oAuth2ProviderToken.findFirst({ where: { apiKeyId: { in: kept } }, select: { familyId: true } });
  await endGrants(call, user.id, ofApplication === null ? {} : { exceptFamily: ofApplication.familyId });
  const { count } = await call.db.apiKey.deleteMany({ where: { userId: user.id, id: { notIn: kept } } });
  await announceRights(call, user.id);
  call.audit.update({ additionalFields: { revoked_keys: count } });
}
