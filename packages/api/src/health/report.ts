import type { HealthSection } from '@berth/domain';
import { HEALTH_SEVERITIES } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { checkAccessUrl } from './access-url.ts';
import type { HealthcheckReport } from './contract.ts';
import { checkDaemons } from './daemons.ts';
import { checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import { well } from './findings.ts';
import { checkProxies } from './proxies.ts';
import { readHealthSettings } from './settings.ts';
import { checkWebsocket } from './websocket.ts';

/** What was found is answered again for so long. */
const FRESH_MS = 60_000;

/** What was found, before anybody is asked what they want to be told of. */
interface Found {
  readonly time: Date;
  readonly access_url: Awaited<ReturnType<typeof checkAccessUrl>>;
  readonly websocket: Awaited<ReturnType<typeof checkWebsocket>>;
  readonly database: Awaited<ReturnType<typeof checkDatabase>>;
  readonly workspace_proxy: Awaited<ReturnType<typeof checkProxies>>;
  readonly provisioner_daemons: Awaited<ReturnType<typeof checkDaemons>>;
  readonly disk: Awaited<ReturnType<typeof checkDisk>>;
}

/** Runs all checks of one server: one run at a time, however many ask. */
class HealthChecks {
  readonly #services: Services;
  #last: Found | undefined;
  #running: Promise<Found> | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async found({ isForced }: { readonly isForced: boolean }): Promise<Found> {
    const last = this.#last;
    const isFresh = last !== undefined && this.#services.clock.now().getTime() - last.time.getTime() < FRESH_MS;
    if (isFresh && !isForced && this.#running === undefined) return last;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  async #run(): Promise<Found> {
    const services = this.#services;
    // First, and alone: the other checks would make the database wait.
    const database = await checkDatabase(services);
    const [access_url, websocket, workspace_proxy, provisioner_daemons, disk] = await Promise.all([
      checkAccessUrl(services),
      checkWebsocket(services),
      checkProxies(services),
      checkDaemons(services),
      checkDisk(services),
    ]);
    const found = { time: services.clock.now(), access_url, websocket, database, workspace_proxy, provisioner_daemons, disk };
    this.#last = found;
    return found;
  }
}

const checks = new WeakMap<Services, HealthChecks>();

function checksOf(services: Services): HealthChecks {
  const known = checks.get(services);
  if (known !== undefined) return known;
  const made = new HealthChecks(services);
  checks.set(services, made);
  return made;
}

/**
 * How the deployment is: what was found within the last minute, or now when `force` asks for it. Every check has an end, so this takes
 * 20 s at most. Findings that were dismissed are there, and marked.
 */
export async function getHealth(call: UserCall, { force }: { readonly force: boolean }): Promise<HealthcheckReport> {
  call.authorize.require({ type: 'debug_info' });
  const found = await checksOf(call.services).found({ isForced: force });
  const { dismissed_healthchecks } = await readHealthSettings(call.db);
  const isDismissed = (section: HealthSection): boolean => dismissed_healthchecks.includes(section);
  const sections = {
    access_url: { ...found.access_url, dismissed: isDismissed('AccessURL') },
    websocket: { ...found.websocket, dismissed: isDismissed('Websocket') },
    database: { ...found.database, dismissed: isDismissed('Database') },
    derp: { ...well(), dismissed: isDismissed('DERP'), regions: {}, netcheck: null, netcheck_err: '', netcheck_logs: [] },
    workspace_proxy: { ...found.workspace_proxy, dismissed: isDismissed('WorkspaceProxy') },
    provisioner_daemons: { ...found.provisioner_daemons, dismissed: isDismissed('ProvisionerDaemons') },
    disk: { ...found.disk, dismissed: isDismissed('Disk') },
  };
  const severities = Object.values(sections).map(({ severity }) => HEALTH_SEVERITIES.indexOf(severity));
  const severity = HEALTH_SEVERITIES[Math.max(...severities)] ?? 'ok';
  return {
    time: found.time.toISOString(),
    healthy: severity !== 'error',
    severity,
    version: call.services.settings.version,
    ...sections,
  };
}
