import { newId } from '@berth/core';
import type { Prisma } from '@berth/db';
import { externalAuthChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import type { LinkKey, LinkRow } from './link-row.ts';
import { findLink, grantColumns, linkSelect, openLink } from './link-row.ts';
import { OutboundError } from './outbound.ts';
import { refreshGrant, revokeTokens } from './service-requests.ts';
import type { ExternalAuthProvider } from './settings.ts';
import { ProviderRefusal } from './token-answer.ts';

/** Longer than any request to a service takes: a process that died in the middle holds the others up no longer. */
const LEASE_MS = 30_000;
/** How long others wait for the one that refreshes. */
const WAIT_MS = 15_000;
/** News of the other's end may be lost. */
const LOOK_AGAIN_MS = 500;

/** Refusals after which a refresh token never works again; the last four are GitHub's and Slack's words. */
const PERMANENT = new Set(['invalid_grant', 'bad_refresh_token', 'invalid_refresh_token', 'token_revoked', 'token_expired']);

type Refresher = Pick<Services, 'prisma' | 'bus' | 'clock' | 'sealer' | 'log'>;

/**
 * Gets new tokens for a link whose access token no longer works. Of all that ask at the same time, on any replica, one asks the service:
 * most services take a refresh token once, and treat a second use as theft. Returns the link as it is afterwards: with new tokens, or
 * without its refresh token when the service refused it for good; null when it was removed meanwhile.
 *
 * @throws OutboundError or ProviderRefusal when it may work later; the link is then as before.
 */
export async function refreshLink(services: Refresher, provider: ExternalAuthProvider, row: LinkRow): Promise<LinkRow | null> {
  const lease = await takeLease(services, row);
  if (lease !== null) return refreshUnderLease(services, provider, { stale: row, lease });
  const running = await findLink(services.prisma, row);
  if (running === null || isRenewed(services, row, running)) return running;
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    await services.bus.waitFor(externalAuthChannel, (news) => news.user_id === row.userId && news.provider_id === row.providerId, {
      timeoutMs: LOOK_AGAIN_MS,
    });
    const current = await findLink(services.prisma, row);
    if (current === null || isRenewed(services, row, current)) return current;
    if (current.refreshLease !== running.refreshLease) throw new OutboundError('The service did not refresh the token just now.');
  }
  throw new OutboundError('The service takes too long to refresh the token.');
}

/** Takes the right to refresh a link, if nobody has it now and the link can be refreshed. */
async function takeLease({ prisma, clock }: Refresher, { userId, providerId }: LinkKey): Promise<string | null> {
  const lease = newId();
  const now = clock.now();
  const { count } = await prisma.externalAuthLink.updateMany({
    where: { userId, providerId, OR: [{ refreshLeaseUntil: null }, { refreshLeaseUntil: { lte: now } }] },
    data: { refreshLease: lease, refreshLeaseUntil: new Date(now.getTime() + LEASE_MS) },
  });
  return count === 0 ? null : lease;
}

interface Leased {
  /** The link as it was when it was found not to work. */
  readonly stale: LinkRow;
  readonly lease: string;
}

async function refreshUnderLease(services: Refresher, provider: ExternalAuthProvider, leased: Leased): Promise<LinkRow | null> {
  const { stale } = leased;
  const current = await findLink(services.prisma, stale);
  const tokens = current === null ? null : openLink(services, current);
  if (current === null || tokens === null || tokens.refreshToken === null || isRenewed(services, stale, current)) {
    return finish(services, leased, {});
  }
  try {
    const grant = await refreshGrant(provider, tokens.refreshToken);
    const kept = { ...grant, refreshToken: grant.refreshToken ?? tokens.refreshToken };
    const row = await finish(services, leased, { ...grantColumns(services, stale, kept), failure: '' });
    // Unlinked or linked anew meanwhile: nobody will ever use or revoke these.
    if (row === null || !isLeaseholder(services, row, grant.accessToken)) await revokeTokens(provider, kept);
    return row;
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || !PERMANENT.has(error.code)) {
      await finish(services, leased, {});
      throw error;
    }
    services.log.info({ user_id: stale.userId, provider_id: stale.providerId, code: error.code }, 'an external service ended a link');
    return finish(services, leased, { sealedRefreshToken: null, failure: error.code });
  }
}

/** Whether the link holds the token that was just granted. */
function isLeaseholder(services: Refresher, row: LinkRow, accessToken: string): boolean {
  return openLink(services, row)?.accessToken === accessToken;
}

/** Writes the outcome if the lease still stands, gives it back, and tells those who wait. Returns the link as it is now. */
async function finish(
  services: Refresher,
  { stale: { userId, providerId }, lease }: Leased,
  data: Prisma.ExternalAuthLinkUncheckedUpdateManyInput,
): Promise<LinkRow | null> {
  const { prisma, bus, clock } = services;
  const changed = Object.keys(data).length === 0 ? {} : { ...data, updatedAt: clock.now() };
  const rows = await prisma.externalAuthLink.updateManyAndReturn({
    where: { userId, providerId, refreshLease: lease },
    data: { ...changed, refreshLease: null, refreshLeaseUntil: null },
    select: linkSelect,
  });
  await bus.publish(prisma, externalAuthChannel, { user_id: userId, provider_id: providerId });
  return rows[0] ?? findLink(prisma, { userId, providerId });
}

/** Whether the link has another token now than the one that did not work. Sealing it again changes its bytes, not the token. */
function isRenewed(services: Refresher, stale: LinkRow, current: LinkRow): boolean {
  if (Buffer.compare(stale.sealedAccessToken, current.sealedAccessToken) === 0) return stale.failure !== current.failure;
  return openLink(services, stale)?.accessToken !== openLink(services, current)?.accessToken;
}
