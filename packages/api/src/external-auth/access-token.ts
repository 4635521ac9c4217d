import type { Services } from '../kernel/context.ts';
import { checkLink } from './check-link.ts';
import type { LinkKey } from './link-row.ts';
import { findLink } from './link-row.ts';

/** The token of a person's link to a configured service, renewed where it was about to end; empty when there is none that works. */
export async function workingAccessToken(services: Services, { userId, providerId }: LinkKey): Promise<string> {
  const provider = services.settings.externalAuth.find(({ id }) => id === providerId);
  const row = provider === undefined ? null : await findLink(services.prisma, { userId, providerId });
  if (provider === undefined || row === null) return '';
  const state = await checkLink(services, provider, row);
  return state.kind === 'working' ? state.tokens.accessToken : '';
}
