import { Prisma } from '@berth/db';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { readDaemons } from '../provisioner-daemons/index.ts';
import type { ProvisionerDaemon } from '../provisioner-daemons/contract.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well, within } from './findings.ts';
import type { UnservedNeed } from './unserved-needs.ts';
import { readUnservedNeeds } from './unserved-needs.ts';
import type { HealthMessage } from './message/contract.ts';

const TIMEOUT_MS = 5000;
const LONELY_MAX = 20;
/** Of the protocol that this server speaks. */
const API_MAJOR = '1';

/** Who imports templates and builds workspaces: whether anybody does, for each organization, and whether they fit this server. */
export async function checkDaemons(services: Services): Promise<Omit<HealthcheckReport['provisioner_daemons'], 'dismissed'>> {
  try {
    const [daemons, lonely, unserved] = await within(
      TIMEOUT_MS,
      Promise.all([presentDaemons(services), organizationsWithoutDaemon(services), readUnservedNeeds(services)]),
    );
    const items = daemons.map((daemon) => ({ provisioner_daemon: daemon, warnings: warningsAbout(daemon, services) }));
    return { ...judged(items, [...lonely.map(missingDaemon), ...unserved.map(unservedNeed)]), items };
  } catch (error) {
    return { ...withoutHealthy(broken('EUNKNOWN', `The daemons could not be read: ${reasonOf(error)}.`)), items: [] };
  }
}

function presentDaemons(services: Services): Promise<ProvisionerDaemon[]> {
  return readDaemons({ db: services.prisma, services }, { organizationId: null, wanted: Prisma.sql`d.last_seen_at IS NOT NULL` });
}

/** Organizations with templates that nobody would build. */
async function organizationsWithoutDaemon({ prisma, clock }: Services): Promise<string[]> {
  const heardSince = instantSql(new Date(clock.now().getTime() - DAEMON_STALE_MS));
  const rows = await prisma.$queryRaw<{ name: string }[]>(Prisma.sql`
    SELECT o.name FROM organizations o
    WHERE EXISTS (SELECT 1 FROM templates t WHERE t.organization_id = o.id AND NOT t.deleted)
      AND NOT EXISTS (SELECT 1 FROM provisioner_daemons d WHERE d.organization_id = o.id AND d.last_seen_at >= ${heardSince})
    ORDER BY o.name LIMIT ${LONELY_MAX}`);
  return rows.map(({ name }) => name);
}

function warningsAbout(daemon: ProvisionerDaemon, { settings }: Services): HealthMessage[] {
  const warnings: HealthMessage[] = [];
  if (daemon.status === 'offline') {
    warnings.push({ code: 'EUNKNOWN', message: 'It did not say goodbye, and was not heard from for three minutes.' });
  }
  if (plainVersion(daemon.version) !== plainVersion(settings.version)) {
    const message = `It has version ${daemon.version || 'unknown'}, this server ${settings.version}.`;
    warnings.push({ code: 'EPD02', message });
  }
  if (daemon.api_version !== '' && daemon.api_version.split('.')[0] !== API_MAJOR) {
    warnings.push({ code: 'EPD03', message: `It speaks version ${daemon.api_version} of the protocol, this server ${API_MAJOR}.x.` });
  }
  return warnings;
}

type Item = HealthcheckReport['provisioner_daemons']['items'][number];

function missingDaemon(organization: string): HealthMessage {
  return { code: 'EPD01', message: `The organization ${organization} has templates, but no connected provisioner daemon.` };
}

function unservedNeed({ organization, template, others, reason }: UnservedNeed): HealthMessage {
  const more = others === 0 ? '' : ` and ${others} more`;
  return { code: 'EPD01', message: `${organization}/${template}${more}: ${reason}` };
}

function judged(items: readonly Item[], warnings: HealthMessage[]): Omit<ReturnType<typeof well>, 'healthy'> {
  if (items.every(({ provisioner_daemon }) => provisioner_daemon.status === 'offline')) {
    return withoutHealthy(broken('EPD01', 'No provisioner daemon is there: nothing can be imported or built.', warnings));
  }
  const found = withoutHealthy(well(warnings));
  return items.some((item) => item.warnings.length > 0) ? { ...found, severity: 'warning' } : found;
}

/** The interface has no such field for daemons. */
function withoutHealthy({ severity, warnings, error }: ReturnType<typeof well>): Omit<ReturnType<typeof well>, 'healthy'> {
  return { severity, warnings, error };
}

/** Daemons say `0.1.0` where the server says `v0.1.0`. */
function plainVersion(version: string): string {
  return version.replace(/^v/, '');
}
