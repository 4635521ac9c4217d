import { invalidField } from '@berth/core';
import { passwordProblem } from '@berth/domain';
import type { Call } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { endAllKeys } from './end-all-keys.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export interface NewPassword {
  readonly userId: string;
  /** Of the password so far; null when there is none. */
  readonly currentHash: string | null;
  readonly password: string;
}

/**
 * Sets a new password, which must be good enough and another than the current one, spends any passcode, and ends every key of the
 * user. Completes the audit row that the caller began with a changed secret.
 */
export async function replacePassword(
  call: Pick<Call, 'services' | 'db' | 'audit' | 'afterCommit'>,
  { userId, currentHash, password }: NewPassword,
): Promise<void> {
  const problem = passwordProblem(password);
  if (problem !== null) throw invalidField('password', problem);
  if (await verifyPassword(currentHash, password)) throw invalidField('password', 'must be another one than the current password');
  await call.db.user.update({
    where: { id: userId, deleted: false },
    data: {
      passwordHash: await hashPassword(password),
      oneTimePasscodeHash: null,
      oneTimePasscodeExpiresAt: null,
      updatedAt: call.services.clock.now(),
    },
    select: { id: true },
  });
  await endAllKeys(call.db, userId);
  await announceRights(call, userId);
  // Only that it changed is told: the diff of a secret carries no value.
  call.audit.update({ before: { hashed_password: 'before' }, after: { hashed_password: 'after' } });
}
