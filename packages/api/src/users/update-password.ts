import { invalid, invalidField } from '@berth/core';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { lockUser } from '../auth/lock-user.ts';
import { verifyPassword } from '../auth/passwords.ts';
import { clearSessionCookies } from '../auth/sessions.ts';
import { replacePassword } from '../auth/replace-password.ts';
import type { Context } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireMayMint } from '../tokens/mint.ts';
import type { UpdatePassword } from './contract.ts';
import { requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';

/**
 * Sets a new password and ends every session and token of the user, the asking one included. One's own needs the old one; for others
 * it is enough to have all their rights, by a credential that may do everything. Guesses of the old one count as attempts to sign in.
 */
export async function updatePassword(call: UserCall & Pick<Context, 'response'>, input: z.output<typeof UpdatePassword>): Promise<void> {
  const { db, services, principal } = call;
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  await lockUser(db, user.id);
  // Whoever sets a password can sign in with it, and then do everything that the account may.
  if (user.id !== principal.userId) await requireMayMint(call, { scope: 'all', permissions: [], userId: user.id });
  if (user.loginType !== 'password') throw invalid('This account does not sign in with a password.');
  const isOwn = user.id === principal.userId;
  if (isOwn && input.old_password === undefined) throw invalidField('old_password', 'is needed to change your own password');
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: user.id }, select: { passwordHash: true } });
  if (input.old_password !== undefined) {
    await services.loginLimit.consume(call.request.ip);
    if (!(await verifyPassword(passwordHash, input.old_password))) throw invalidField('old_password', 'is not the current password');
  }
  await replacePassword(call, { userId: user.id, currentHash: passwordHash, password: input.password });
  if (isOwn) clearSessionCookies(services.settings, call.response);
}
