import type { Call } from '../kernel/procedures.ts';
import { auditedGrant } from './audit.ts';
import type { Client } from './client.ts';
import type { OAuth2Token, TokenRequest } from './contract.ts';
import { findByCredential } from './credential.ts';
import { endTokens, lockGrants } from './end-grants.ts';
import { issueTokens, requireLiveUser } from './issue.ts';
import { OAuth2Refusal } from './refusal.ts';

const SLOW_DOWN_SECONDS = 5;

const deviceSelect = {
  id: true,
  userId: true,
  hashedSecret: true,
  status: true,
  scope: true,
  intervalSeconds: true,
  lastPolledAt: true,
  createdAt: true,
  expiresAt: true,
} as const;

/** A device asks whether it was approved, and gets its tokens once it was (RFC 8628 section 3.4). */
export async function exchangeDeviceCode(call: Call, client: Client, input: TokenRequest): Promise<OAuth2Token> {
  if (input.device_code === undefined) throw new OAuth2Refusal('invalid_request', '`device_code` is missing.');
  const read = (prefix: string) =>
    call.db.oAuth2ProviderDeviceCode.findUnique({ where: { prefix, appId: client.id }, select: deviceSelect });
  const found = await findByCredential(input.device_code, read);
  if (found === null) throw refused();
  // An approved one waits for whatever ends its person's grants; polls of one device wait for each other.
  if (found.userId !== null) await lockGrants(call.db, found.userId);
  await call.db.$executeRaw`SELECT 1 FROM oauth2_provider_device_codes WHERE id = ${found.id}::uuid FOR UPDATE`;
  const device = await findByCredential(input.device_code, read);
  if (device === null) throw refused();
  const now = call.services.clock.now();
  if (device.expiresAt <= now) throw new OAuth2Refusal('expired_token', 'The device code has expired. Begin anew.');
  await requirePatience(call, device, now);
  // One that was approved a moment ago: the next poll sees it, and waits in the right order.
  if (device.status === 'pending' || found.userId === null) throw new OAuth2Refusal('authorization_pending', 'Nobody has decided yet.');
  if (device.status === 'denied' || device.userId === null) throw new OAuth2Refusal('access_denied', 'The request was denied.');
  if (device.status === 'used') {
    call.audit.set({ ...auditedGrant(client, device.id, device.userId), action: 'delete' });
    const ended = await endTokens(call, device.userId, { familyId: device.id });
    if (ended === 0) call.audit.discard();
    else call.audit.update({ additionalFields: { app_id: client.id, reason: 'device code used twice' } });
    throw refused();
  }
  await requireLiveUser(call, device.userId);
  const used = await call.db.oAuth2ProviderDeviceCode.updateMany({
    where: { id: device.id, status: 'approved' },
    data: { status: 'used' },
  });
  if (used.count === 0) throw refused();
  const { id, userId, scope, createdAt } = device;
  const tokens = await issueTokens(call, { client, userId, familyId: id, grantedAt: createdAt, scope });
  call.audit.set({
    ...auditedGrant(client, id, userId),
    after: { app_id: client.id, user_id: userId, scope, expires_at: tokens.expiry },
  });
  return tokens;
}

/** Notes the poll; one that comes too early lengthens the interval for good (RFC 8628 section 3.5). */
async function requirePatience(
  call: Call,
  device: { readonly id: string; readonly lastPolledAt: Date | null; readonly intervalSeconds: number },
  now: Date,
): Promise<void> {
  const isEarly = device.lastPolledAt !== null && now.getTime() - device.lastPolledAt.getTime() < device.intervalSeconds * 1000;
  await call.db.oAuth2ProviderDeviceCode.update({
    where: { id: device.id },
    data: { lastPolledAt: now, ...(isEarly ? { intervalSeconds: device.intervalSeconds + SLOW_DOWN_SECONDS } : {}) },
    select: { id: true },
  });
  if (isEarly) throw new OAuth2Refusal('slow_down', `Ask at most every ${device.intervalSeconds + SLOW_DOWN_SECONDS} s.`);
}

function refused(): OAuth2Refusal {
  return new OAuth2Refusal('invalid_grant', 'The device code is not valid: unknown or used already.');
}
