import { invalid } from '@berth/core';
import type { UserStatus } from '@berth/domain';
import { userObject } from '@berth/rbac';
import { lockUser } from '../auth/lock-user.ts';
import type { Call, UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedUser } from './audit.ts';
import type { User } from './contract.ts';
import type { UserRow } from './presenter.ts';
import { userSelect } from './presenter.ts';
import { requireAnotherOwner, requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';
import { showUser } from './show-users.ts';

/**
 * Writes the status of an account. Suspending ends its keys and streams on every replica at once and takes back its passcode; the last
 * owner who can sign in is refused as a conflict. Who may do it, and the audit row, are the caller's business.
 */
export async function setUserStatus(
  call: Pick<Call, 'services' | 'db' | 'afterCommit'>,
  { userId, status }: { readonly userId: string; readonly status: UserStatus },
): Promise<UserRow> {
  const isSuspending = status === 'suspended';
  await lockUser(call.db, userId);
  if (isSuspending) await requireAnotherOwner(call.db, userId);
  const row = await call.db.user.update({
    where: { id: userId, deleted: false },
    data: {
      status,
      updatedAt: call.services.clock.now(),
      ...(isSuspending ? { oneTimePasscodeHash: null, oneTimePasscodeExpiresAt: null } : {}),
    },
    select: userSelect,
  });
  await announceRights(call, userId);
  return row;
}

/** Keeps an account out until it is activated: not oneself, no owner, nobody with more rights than the caller. */
export async function suspendUser(call: UserCall, input: { user: string }): Promise<User> {
  return changeStatus(call, input, 'suspended');
}

/** Lets an account in again, or marks a dormant one as active. */
export async function activateUser(call: UserCall, input: { user: string }): Promise<User> {
  return changeStatus(call, input, 'active');
}

async function changeStatus(call: UserCall, input: { user: string }, status: UserStatus): Promise<User> {
  const found = await resolveUser(call, input.user);
  call.audit.set({ resourceId: found.id, target: found.username });
  call.authorize.require(userObject(found.id));
  await lockUser(call.db, found.id);
  const user = await resolveUser(call, found.id);
  if (status === 'suspended' && user.id === call.principal.userId) throw invalid('You cannot suspend your own account.');
  await requireCover(call, user.id);
  if (status === 'suspended' && user.siteRoles.includes('owner')) {
    throw invalid('An owner cannot be suspended. Take the owner role away first.');
  }
  if (user.status === status) return showUser(call.db, user);
  const row = await setUserStatus(call, { userId: user.id, status });
  call.audit.update({ before: auditedUser(user), after: auditedUser(row) });
  return showUser(call.db, row);
}
