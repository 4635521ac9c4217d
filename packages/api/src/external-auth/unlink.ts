import { notFound } from '@berth/core';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { externalAuthChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { ExternalAuthPath } from './contract.ts';
import { linkSelect, openLink } from './link-row.ts';
import { revokeTokens } from './service-requests.ts';
import { auditedLink } from './store-link.ts';

/**
 * Removes the caller's link, then takes its tokens back at the service: whether that works or not, the link is gone. Also for a service
 * that is configured no longer. Throws `not_found` without a link.
 */
export async function unlink(call: UserCall, { externalauth }: z.output<typeof ExternalAuthPath>): Promise<'OK'> {
  const { services, principal } = call;
  call.authorize.require(userObject(principal.userId), { sitewide: true });
  const key = { userId: principal.userId, providerId: externalauth };
  const provider = services.settings.externalAuth.find(({ id }) => id === externalauth);
  const row = await call.atomically(async (db) => {
    const found = await db.externalAuthLink.findUnique({ where: { userId_providerId: key }, select: linkSelect });
    if (found === null) throw notFound();
    // Fails as not found when another request was faster; the row that goes is the one whose tokens are revoked.
    const removed = await db.externalAuthLink.delete({ where: { userId_providerId: key }, select: linkSelect });
    call.audit.set({
      resourceId: principal.userId,
      target: externalauth,
      icon: provider?.displayIcon ?? '',
      before: auditedLink(removed, 'before'),
      after: {},
    });
    await services.bus.publish(db, externalAuthChannel, { user_id: key.userId, provider_id: key.providerId });
    return removed;
  });
  const tokens = provider === undefined ? null : openLink(services, row);
  if (provider !== undefined && tokens !== null) {
    const problem = await revokeTokens(provider, tokens);
    if (problem !== null) services.log.warn({ provider_id: provider.id, reason: problem }, 'tokens could not be revoked at their service');
  }
  return 'OK';
}
