import { unauthenticated } from '@berth/core';
import { externalAuthChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { holdUser } from '../users/index.ts';
import { findLink, grantColumns, linkSelect } from './link-row.ts';
import type { ExternalAuthProvider } from './settings.ts';
import type { Grant } from './token-answer.ts';

/** Keeps what a service granted as the caller's link, in place of a former one, with its audit row. */
export async function storeLink(call: UserCall, provider: ExternalAuthProvider, grant: Grant): Promise<void> {
  const { services, principal } = call;
  // The exchange took its time: whoever was suspended or signed out in the meantime links nothing.
  const now = await call.authenticate();
  if (now.kind !== 'user' || now.userId !== principal.userId) throw unauthenticated();
  const key = { userId: principal.userId, providerId: provider.id };
  call.audit.set({ resourceId: principal.userId, target: provider.id, icon: provider.displayIcon });
  await call.atomically(async (db) => {
    await holdUser(db, key.userId);
    const before = await findLink(db, key);
    const columns = grantColumns(services, key, grant);
    // A refresh that runs for the former link must not write over this one.
    const changes = { ...columns, failure: '', refreshLease: null, refreshLeaseUntil: null, updatedAt: services.clock.now() };
    const after = await db.externalAuthLink.upsert({
      where: { userId_providerId: key },
      create: { ...key, ...changes, createdAt: services.clock.now() },
      update: changes,
      select: linkSelect,
    });
    call.audit.update({
      ...(before === null ? {} : { action: 'write' }),
      before: before === null ? {} : auditedLink(before, 'before'),
      after: auditedLink(after, 'after'),
    });
    await services.bus.publish(db, externalAuthChannel, { user_id: key.userId, provider_id: key.providerId });
  });
}

interface Audited {
  readonly providerId: string;
  readonly userId: string;
  readonly expiresAt: Date | null;
  readonly sealedRefreshToken: unknown;
}

/** The tracked state of a link. Tokens show only that they changed, so any two different texts stand for them. */
export function auditedLink(
  { providerId, userId, expiresAt, sealedRefreshToken }: Audited,
  mark: 'before' | 'after',
): Record<string, unknown> {
  return {
    provider_id: providerId,
    user_id: userId,
    expires_at: expiresAt,
    access_token: mark,
    refresh_token: sealedRefreshToken === null ? '' : mark,
  };
}
