import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { UpdateAppearance, User } from './contract.ts';
import { userSelect } from './presenter.ts';
import { requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';
import { showUser } from './show-users.ts';

/** Changes how the dashboard looks for a user; an absent field is unchanged. */
export async function updateAppearance(call: UserCall, input: z.output<typeof UpdateAppearance>): Promise<User> {
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  if (input.theme_preference === undefined || input.theme_preference === user.themePreference) return showUser(call.db, user);
  const row = await call.db.user.update({
    where: { id: user.id },
    data: { themePreference: input.theme_preference, updatedAt: call.services.clock.now() },
    select: userSelect,
  });
  call.audit.update({ before: { theme_preference: user.themePreference }, after: { theme_preference: row.themePreference } });
  return showUser(call.db, row);
}
