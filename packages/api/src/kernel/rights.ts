import { authChannel } from './channels.ts';
import type { Call } from './procedures.ts';

/**
 * Tells every replica that what a user may do changed (roles, groups, memberships, status, keys), so that no cache and no open stream
 * outlives it: the news leaves with the transaction, and this process forgets at commit.
 */
export async function announceRights(call: Pick<Call, 'services' | 'db' | 'afterCommit'>, userId: string): Promise<void> {
  await call.services.bus.publish(call.db, authChannel, { user_id: userId });
  call.afterCommit(() => call.services.authenticator.forgetUser(userId));
}

/** `announceRights` for many users, by one statement however many they are. */
export async function announceRightsOfAll(call: Pick<Call, 'services' | 'db' | 'afterCommit'>, userIds: readonly string[]): Promise<void> {
  await call.services.bus.publishAll(
    call.db,
    authChannel,
    userIds.map((userId) => ({ user_id: userId })),
  );
  call.afterCommit(() => {
    for (const userId of userIds) call.services.authenticator.forgetUser(userId);
  });
}
