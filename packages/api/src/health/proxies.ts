import type { Services } from '../kernel/context.ts';
import { readAllProxies } from '../workspace-proxies/read-proxies.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well, within } from './findings.ts';
import type { HealthMessage } from './message/contract.ts';

const TIMEOUT_MS = 5000;

/** How the workspace proxies are by their latest checks; the primary one is this server. */
export async function checkProxies(services: Services): Promise<Omit<HealthcheckReport['workspace_proxy'], 'dismissed'>> {
  try {
    const regions = await within(TIMEOUT_MS, readAllProxies({ db: services.prisma, services }));
    const warnings = regions
      .filter(({ healthy }) => !healthy)
      .map((proxy): HealthMessage => {
        const errors = proxy.status.report.errors.join(' ');
        return { code: 'EWP04', message: `The proxy ${proxy.name} is ${proxy.status.status}.${errors === '' ? '' : ` ${errors}`}` };
      });
    return { ...well(warnings), workspace_proxies: { regions } };
  } catch (error) {
    return { ...broken('EWP01', `The proxies could not be read: ${reasonOf(error)}.`), workspace_proxies: { regions: [] } };
  }
}
