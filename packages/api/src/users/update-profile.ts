import { isUniqueViolation } from '@berth/db';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedUser } from './audit.ts';
import type { UpdateProfile, User } from './contract.ts';
import { refuseTakenNames } from './new-user-rules.ts';
import { userSelect } from './presenter.ts';
import { requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';
import { showUser } from './show-users.ts';

/**
 * Changes the user name and the real name; absent fields stay. The former user name is free at once. A name that another account has
 * is a conflict, whatever its case.
 */
export async function updateProfile(call: UserCall, input: z.output<typeof UpdateProfile>): Promise<User> {
  const { db, services } = call;
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  const username = input.username ?? user.username;
  const name = input.name ?? user.name;
  if (username === user.username && name === user.name) return showUser(db, user);

  await refuseTakenNames(db, { username }, user.id);
  try {
    const row = await db.user.update({
      where: { id: user.id, deleted: false },
      data: { username, name, updatedAt: services.clock.now() },
      select: userSelect,
    });
    // Processes know callers by their name, too.
    await announceRights(call, user.id);
    call.audit.update({ before: auditedUser(user), after: auditedUser(row) });
    return await showUser(db, row);
  } catch (error) {
    if (isUniqueViolation(error)) await refuseTakenNames(services.prisma, { username }, user.id);
    throw error;
  }
}
