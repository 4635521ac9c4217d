import { forbidden, unauthenticated } from '@berth/core';
import { sameText } from '@berth/db';
import { apiKeyObject } from '@berth/rbac';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { Context } from '../kernel/context.ts';
import type { Call, UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { holdAccounts } from './lock-user.ts';
import { verifyPassword } from './passwords.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_LIFETIME_SECONDS, clearSessionCookies, createApiKey, setSessionCookies } from './sessions.ts';

/**
 * Signs in with e-mail and password: makes a session, sets its cookies, returns its key. An unknown address and a wrong password
 * get the same answer after the same time. Where the deployment has turned passwords off, owners still get in, so that a broken
 * provider locks nobody out for good.
 */
export async function login(
  call: Call & Pick<Context, 'response'>,
  { email, password }: { email: string; password: string },
): Promise<{ session_token: string }> {
  const { services, db, audit } = call;
  await services.loginLimit.consume(call.request.ip);
  const user = await db.user.findFirst({
    where: { email: sameText(email), deleted: false },
    select: { id: true, username: true, passwordHash: true, loginType: true, status: true, siteRoles: true },
  });
  if (user !== null) audit.set({ resourceId: user.id, target: '', actorId: user.id });
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (user === null || !matches) throw unauthenticated('The e-mail address or the password is wrong.');
  if (user.loginType !== 'password') throw forbidden('This account does not sign in with a password.');
  if (!services.settings.signOn.password_enabled && !user.siteRoles.includes('owner')) {
    throw forbidden('This deployment does not let people sign in with a password. Choose another way to sign in.');
  }
  if (user.status === 'suspended') throw unauthenticated('This account is suspended. An administrator can activate it.');
  // A session must not come of a password that was replaced, or of an account that was suspended, while it was checked.
  await holdAccounts(db, [user.id]);
  const stillSo = { id: user.id, passwordHash: user.passwordHash, status: { not: 'suspended' }, loginType: 'password' } as const;
  if ((await db.user.count({ where: stillSo })) === 0) throw unauthenticated('The account has just been changed. Sign in again.');

  const session = await createApiKey(db, services.clock, {
    userId: user.id,
    loginType: 'password',
    lifetimeSeconds: SESSION_LIFETIME_SECONDS,
    absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
    ip: call.request.ip,
  });
  audit.update({ after: { user_id: user.id, expires_at: session.expiresAt, created_at: session.createdAt } });
  setSessionCookies(services.settings, call.response, session);
  return { session_token: session.token };
}

/**
 * Ends the session of this request, and every key of the user that was only made to reach apps. A credential of a narrow scope ends
 * itself only.
 */
export async function logout(call: UserCall & Pick<Context, 'response'>): Promise<Confirmation> {
  const { services, db, principal, audit } = call;
  audit.set({ resourceId: principal.userId, target: '' });
  const others = call.authorize.can('delete', apiKeyObject({ userId: principal.userId })) ? [{ scope: 'application_connect' }] : [];
  await db.apiKey.deleteMany({ where: { userId: principal.userId, OR: [{ id: principal.keyId }, ...others] } });
  await announceRights(call, principal.userId);
  clearSessionCookies(services.settings, call.response);
  return confirmed('You are signed out.');
}
