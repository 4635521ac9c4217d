import { invalidField, unauthenticated } from '@berth/core';
import { parseAppHost } from '@berth/domain';
import { apiKeyObject } from '@berth/rbac';
import type { z } from 'zod';
import { SESSION_ABSOLUTE_SECONDS, SESSION_LIFETIME_SECONDS, createApiKey } from '../auth/sessions.ts';
import type { Settings } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireMayMint } from '../tokens/mint.ts';
import { APP_KEY_PARAMETER, sealAppKey } from './app-session.ts';
import type { AppAddress, SignInToApp } from './contract.ts';

const SCOPE = { scope: 'application_connect', permissions: [] } as const;
/** A key that nobody brought to its host in this time never arrives. */
const ABANDONED_MS = 10 * 60_000;

/**
 * Signs a browser in on the host of an app: makes a key that opens apps and nothing else, which ends with the session in use, and leads
 * back with it, encrypted for that host and for a minute.
 *
 * @throws invalid for an address that is no app's; forbidden for a credential that may make no keys.
 */
export async function signInToApp(call: UserCall, input: z.output<typeof SignInToApp>): Promise<AppAddress> {
  const { services, db, principal } = call;
  const { userId, keyId } = principal;
  call.audit.set({ resourceId: userId, target: '' });
  call.authorize.require(apiKeyObject({ userId }));
  const address = appAddress(services.settings, input.redirect_uri);
  await requireMayMint(call, { ...SCOPE, userId });
  const session = await db.apiKey.findUnique({
    where: { id: keyId },
    select: { expiresAt: true, absoluteExpiresAt: true },
  });
  if (session === null) throw unauthenticated();
  const now = services.clock.now();
  await db.apiKey.deleteMany({
    where: { parentId: keyId, lastUsedAt: null, createdAt: { lt: new Date(now.getTime() - ABANDONED_MS) } },
  });
  const secondsTo = (end: Date): number => Math.max(1, Math.floor((end.getTime() - now.getTime()) / 1000));
  const key = await createApiKey(db, services.clock, {
    userId,
    // As every key that is no token: whatever the session was opened with ends it by the session.
    loginType: 'password',
    ...SCOPE,
    // Never past the session, however often both are used.
    lifetimeSeconds: Math.min(secondsTo(session.expiresAt), SESSION_LIFETIME_SECONDS),
    absoluteSeconds: Math.min(secondsTo(session.absoluteExpiresAt), SESSION_ABSOLUTE_SECONDS),
    parentId: keyId,
    ip: call.request.ip,
  });
  call.audit.update({
    target: address.hostname,
    after: { user_id: userId, expires_at: key.expiresAt, created_at: key.createdAt },
  });
  const sealed = sealAppKey(services, { host: address.hostname, key: key.token, state: input.state });
  address.searchParams.set(APP_KEY_PARAMETER, sealed);
  return { redirect_to: address.href };
}

/** The address on the app's host, with the scheme and the port under which this deployment's apps are reached. */
function appAddress({ accessUrl, wildcardHost }: Settings, text: string): URL {
  const asked = URL.parse(text);
  if (asked === null || wildcardHost === null || parseAppHost(asked.hostname, wildcardHost) === null) {
    throw invalidField('redirect_uri', 'must be an address of a workspace’s app on this deployment');
  }
  const address = new URL(`${new URL(accessUrl).protocol}//${asked.hostname}${wildcardHost.port}`);
  address.pathname = asked.pathname;
  address.search = asked.search;
  address.searchParams.delete(APP_KEY_PARAMETER);
  return address;
}
