import { notFound } from '@berth/core';
import { z } from 'zod';
import { checkLink } from '../external-auth/check-link.ts';
import { findLink } from '../external-auth/link-row.ts';
import { pagePath, requireProvider } from '../external-auth/providers.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { TemplateVersionExternalAuth, TemplateVersionInput } from './contract.ts';
import { readVersion, versionObject } from './version-sql.ts';

/** What `template_versions.external_auth_providers` holds. */
const NeededProviders = z.array(z.object({ id: z.string(), optional: z.boolean() }));

/**
 * The external services that a workspace of this version needs, and whether the caller's link to each works. Each link is renewed where
 * needed and shown to its service, all at the same time.
 *
 * @throws notFound also when a service is not configured any more.
 */
export async function getVersionExternalAuth(call: UserCall, input: TemplateVersionInput): Promise<TemplateVersionExternalAuth[]> {
  const { db, services, principal } = call;
  call.authorize.require(versionObject(await readVersion(db, services, input.templateversion)));
  const version = await db.templateVersion.findUnique({
    where: { id: input.templateversion },
    select: { externalAuthProviders: true },
  });
  if (version === null) throw notFound();
  const needed = NeededProviders.parse(version.externalAuthProviders).map(({ id, optional }) => ({
    provider: requireProvider(services.settings, id),
    optional,
  }));
  return Promise.all(
    needed.map(async ({ provider, optional }) => {
      const row = await findLink(services.prisma, { userId: principal.userId, providerId: provider.id });
      const state = row === null ? null : await checkLink(services, provider, row);
      return {
        id: provider.id,
        type: provider.type,
        display_name: provider.displayName,
        display_icon: provider.displayIcon,
        authenticate_url: `${services.settings.accessUrl}${pagePath(provider)}`,
        authenticated: state?.kind === 'working',
        optional,
      };
    }),
  );
}
