import type { UserCall } from '../kernel/procedures.ts';
import type { ExternalAuthSetup } from './contract.ts';
import { callbackAddress } from './providers.ts';

/** The configured services with how many people use each: numbers only, nothing of whose accounts they are. */
export async function readSetup({ authorize, db, services }: UserCall): Promise<ExternalAuthSetup[]> {
  authorize.require({ type: 'deployment_config' }, { sitewide: true });
  const groups = await db.externalAuthLink.groupBy({ by: ['providerId'], _count: { _all: true } });
  const broken = await db.externalAuthLink.groupBy({ by: ['providerId'], where: { failure: { not: '' } }, _count: { _all: true } });
  const count = (rows: typeof groups, id: string): number => rows.find(({ providerId }) => providerId === id)?._count._all ?? 0;
  return services.settings.externalAuth.map((provider) => ({
    id: provider.id,
    redirect_url: callbackAddress(services.settings, provider),
    links: count(groups, provider.id),
    broken_links: count(broken, provider.id),
  }));
}
