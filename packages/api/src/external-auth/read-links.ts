import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { readAccount, readInstallations } from './account.ts';
import type { LinkState } from './check-link.ts';
import { checkLink } from './check-link.ts';
import type { ExternalAuth, ExternalAuthLink, ExternalAuthLinkProvider, ExternalAuthLinks, ExternalAuthPath } from './contract.ts';
import type { LinkRow } from './link-row.ts';
import { findLink, linkSelect } from './link-row.ts';
import { requireProvider } from './providers.ts';
import type { ExternalAuthProvider } from './settings.ts';

/** A person has at most one per provider; those of providers that are configured no longer count too. */
const LINKS_MAX = 200;

/** Every configured service, and the caller's links: each renewed where needed and shown to its service, all at the same time. */
export async function listLinks(call: UserCall): Promise<ExternalAuthLinks> {
  const { services, principal } = call;
  call.authorize.require(userObject(principal.userId), { sitewide: true });
  const rows = await services.prisma.externalAuthLink.findMany({
    where: { userId: principal.userId },
    orderBy: { updatedAt: 'desc' },
    take: LINKS_MAX,
    select: linkSelect,
  });
  const links = (await Promise.all(rows.map((row) => presentLink(call, row)))).filter((link) => link !== null);
  return {
    ...(links[0] ?? EMPTY),
    providers: services.settings.externalAuth.map(presentProvider),
    links: links.toSorted((a, b) => (a.provider_id < b.provider_id ? -1 : 1)),
  };
}

const EMPTY = {
  provider_id: '',
  created_at: null,
  updated_at: null,
  expires: null,
  has_refresh_token: false,
  authenticated: false,
  validate_error: '',
};

async function presentLink({ services }: UserCall, row: LinkRow): Promise<ExternalAuthLink | null> {
  const provider = services.settings.externalAuth.find(({ id }) => id === row.providerId);
  const state: LinkState =
    provider === undefined
      ? { kind: 'broken', row, reason: 'The service is not configured any more.' }
      : await checkLink(services, provider, row);
  if (state.kind === 'gone') return null;
  return {
    provider_id: row.providerId,
    created_at: state.row.createdAt.toISOString(),
    updated_at: state.row.updatedAt.toISOString(),
    expires: state.row.expiresAt?.toISOString() ?? null,
    has_refresh_token: state.row.sealedRefreshToken !== null,
    authenticated: state.kind === 'working',
    validate_error: state.kind === 'working' ? '' : state.reason,
  };
}

function presentProvider(provider: ExternalAuthProvider): ExternalAuthLinkProvider {
  return {
    id: provider.id,
    type: provider.type,
    device: provider.deviceCodeUrl !== undefined,
    display_name: provider.displayName,
    display_icon: provider.displayIcon,
    allow_refresh: provider.allowsRefresh,
    allow_validate: provider.validateUrl !== undefined,
  };
}

/** One configured service: whether the caller's link works, whose account it is, and where the service's app is installed. */
export async function getLink(call: UserCall, { externalauth }: z.output<typeof ExternalAuthPath>): Promise<ExternalAuth> {
  const { services, principal } = call;
  call.authorize.require(userObject(principal.userId), { sitewide: true });
  const provider = requireProvider(services.settings, externalauth);
  const row = await findLink(services.prisma, { userId: principal.userId, providerId: provider.id });
  const state = row === null ? null : await checkLink(services, provider, row);
  const shown = {
    authenticated: false,
    device: provider.deviceCodeUrl !== undefined,
    display_name: provider.displayName,
    user: null,
    app_installable: false,
    installations: [],
    app_install_url: provider.appInstallUrl,
  };
  if (state?.kind !== 'working') return shown;
  const { accessToken } = state.tokens;
  const [user, installations] = await Promise.all([
    readAccount(provider, { accessToken, validation: state.validation }),
    readInstallations(provider, accessToken),
  ]);
  return { ...shown, authenticated: true, user, app_installable: installations !== null, installations: installations ?? [] };
}
