import { randomInt } from 'node:crypto';
import { newId, notFound } from '@berth/core';
import type { z } from 'zod';
import type { Call, UserCall } from '../kernel/procedures.ts';
import { requireMayMint } from '../tokens/mint.ts';
import { auditedGrant } from './audit.ts';
import { grantObject } from './authorize.ts';
import { authenticateClient } from './client.ts';
import type { ApproveDevice, BeginDevice, BeginDeviceAnswer, Device, DeviceDecision, UserCode } from './contract.ts';
import { newCredential } from './credential.ts';
import { OAuth2Refusal, answered } from './refusal.ts';
import { describeScopes, keyScopeOf, parseScope } from './scope.ts';

const DEVICE_SECONDS = 900;
const INTERVAL_SECONDS = 5;
/** Consonants: no words come of them, and none looks like a digit (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;

/** A device asks for access; the person types the user code elsewhere. */
export async function beginDevice(call: Call, input: z.output<typeof BeginDevice>): Promise<z.output<typeof BeginDeviceAnswer>> {
  await call.services.loginLimit.consume(call.request.ip);
  return await answered(async () => {
    const client = await authenticateClient(call, input);
    const scope = parseScope(input.scope);
    if (scope === null) throw new OAuth2Refusal('invalid_scope', 'The scope names something that is not a scope of this server.');
    const code = newCredential();
    const userCode = Array.from({ length: 2 * HALF }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
    const now = call.services.clock.now();
    await call.db.oAuth2ProviderDeviceCode.create({
      data: {
        id: newId(),
        appId: client.id,
        ...code.stored,
        userCode,
        scope,
        intervalSeconds: INTERVAL_SECONDS,
        createdAt: now,
        expiresAt: new Date(now.getTime() + DEVICE_SECONDS * 1000),
      },
      select: { id: true },
    });
    const uri = `${call.services.settings.accessUrl}/device`;
    return {
      device_code: code.text,
      user_code: shown(userCode),
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${shown(userCode)}`,
      expires_in: DEVICE_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  });
}

/** The device that waits under a user code. Guesses are slowed down. */
export async function readDevice(call: UserCall, input: z.output<typeof UserCode>): Promise<Device> {
  await call.services.loginLimit.consume(call.request.ip);
  call.authorize.require(grantObject(call.principal.userId), { sitewide: true });
  const row = await findPending(call, input.user_code);
  const { id, name, icon } = row.app;
  return {
    user_code: shown(row.userCode),
    app: { id, name, icon },
    scope: row.scope,
    scopes: describeScopes(row.scope),
    expires_at: row.expiresAt.toISOString(),
  };
}

/** Gives the waiting device what it asks for, or denies it, once. */
export async function approveDevice(call: UserCall, input: z.output<typeof ApproveDevice>): Promise<z.output<typeof DeviceDecision>> {
  const { userId } = call.principal;
  await call.services.loginLimit.consume(call.request.ip);
  call.authorize.require(grantObject(userId), { sitewide: true });
  const row = await findPending(call, input.user_code);
  if (input.approve) {
    call.audit.set(auditedGrant(row.app, row.id, userId));
    await requireMayMint(call, { ...keyScopeOf(row.scope), userId });
    call.audit.update({ after: { app_id: row.app.id, user_id: userId, scope: row.scope, expires_at: row.expiresAt } });
  }
  const status = input.approve ? 'approved' : 'denied';
  const decided = await call.db.oAuth2ProviderDeviceCode.updateMany({
    where: { id: row.id, status: 'pending' },
    data: { status, userId },
  });
  if (decided.count === 0) throw notFound();
  return { status };
}

async function findPending(call: UserCall, typed: string) {
  const userCode = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const row = await call.db.oAuth2ProviderDeviceCode.findFirst({
    where: { userCode, status: 'pending', expiresAt: { gt: call.services.clock.now() } },
    select: { id: true, userCode: true, scope: true, expiresAt: true, app: { select: { id: true, name: true, icon: true } } },
  });
  if (row === null) throw notFound();
  return row;
}

function shown(userCode: string): string {
  return `${userCode.slice(0, HALF)}-${userCode.slice(HALF)}`;
}
