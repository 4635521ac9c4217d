import { DomainError, forbidden, counted } from '@berth/core';
import { userObject } from '@berth/rbac';
import { endAllKeys } from '../auth/end-all-keys.ts';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedUser } from './audit.ts';
import { requireAnotherOwner, requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';

/**
 * Deletes an account: not one's own, nobody with more rights than the caller, not the last owner, and nobody who still owns a
 * workspace. The row stays for the audit log; everything that lets somebody in or stands for the account elsewhere goes: keys,
 * OAuth2 grants, linked identities and services, the git key, the password. Memberships of organizations and groups go, too, so that
 * their counts are of people; the user name, the e-mail address and the SCIM id become free.
 */
export async function deleteUser(call: UserCall, input: { user: string }): Promise<Confirmation> {
  const { db, services } = call;
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  if (user.id === call.principal.userId) throw forbidden('You cannot delete your own account.');
  await requireCover(call, user.id);
  // Whoever makes something for this user holds the row (`holdUser`): either it is seen here, or its owner is gone there.
  await db.$executeRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR UPDATE`;
  await requireAnotherOwner(db, user.id);
  const workspaces = await db.workspace.count({ where: { ownerId: user.id, deleted: false } });
  if (workspaces > 0) {
    throw new DomainError(
      'has_dependents',
      `This user still owns ${counted(workspaces, 'workspace')}. Delete ${workspaces === 1 ? 'it' : 'them'} first.`,
    );
  }

  await endAllKeys(db, user.id);
  const where = { userId: user.id };
  await db.userIdentity.deleteMany({ where });
  await db.externalAuthLink.deleteMany({ where });
  await db.gitSshKey.deleteMany({ where });
  // The memberships first: who is being put into a group holds a lock on theirs until they are in.
  await db.organizationMember.deleteMany({ where });
  await db.groupMember.deleteMany({ where });
  await db.user.update({
    where: { id: user.id, deleted: false },
    data: { deleted: true, passwordHash: null, oneTimePasscodeHash: null, oneTimePasscodeExpiresAt: null, updatedAt: services.clock.now() },
    select: { id: true },
  });
  await announceRights(call, user.id);
  call.audit.update({ before: auditedUser(user), after: { ...auditedUser(user), deleted: true } });
  return confirmed('The user is deleted.');
}
