import { forbidden, invalidField, unauthenticated } from '@berth/core';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { verifyPassword } from '../auth/passwords.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveUser } from '../users/index.ts';
import type { ConvertLogin, ConvertLoginResponse } from './contract.ts';
import { sealConversion } from './conversion-state.ts';
import { findProvider } from './providers.ts';

/**
 * Gives leave to exchange one's own password for a provider's sign-on. Nothing changes yet: the account changes over when this browser
 * comes back from the provider (`completeSignOn`).
 */
export async function convertLogin(call: UserCall, input: z.output<typeof ConvertLogin>): Promise<z.output<typeof ConvertLoginResponse>> {
  const { services, db, audit } = call;
  const user = await resolveUser(call, input.user);
  audit.set({ resourceId: user.id, target: input.to_type });
  call.authorize.require(userObject(user.id));
  if (user.id !== call.principal.userId) throw forbidden('Only its owner can change how an account signs in.');
  const { to_type: toType } = input;
  if (toType !== 'oidc' && toType !== 'codehost') throw invalidField('to_type', 'must be `oidc` or `codehost`');
  if (findProvider(services.settings, toType) === null) throw invalidField('to_type', 'must be a way to sign in that is configured');
  await services.loginLimit.consume(call.request.ip);
  if (user.loginType !== 'password') throw forbidden('This account does not sign in with a password.');
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: user.id }, select: { passwordHash: true } });
  if (!(await verifyPassword(passwordHash, input.password))) throw unauthenticated('The password is wrong.');

  const { state, expiresAt } = sealConversion(services, { userId: user.id, toType });
  const facts = { created_at: services.clock.now(), expires_at: expiresAt, to_login_type: toType, user_id: user.id };
  audit.update({ after: { ...facts, from_login_type: user.loginType } });
  return { state_string: state, expires_at: expiresAt.toISOString(), to_type: toType, user_id: user.id };
}
