import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Log, Services, Settings } from '@berth/api/server';
import {
  Activity,
  CachingAuthenticator,
  LOGIN_LIMIT_PER_MINUTE,
  REPORT_LIMIT_PER_MINUTE,
  Traffic,
  appRouter,
  createRateLimit,
  createTunnelRegistry,
  registerReplica,
  requireSealingKeys,
  startLoops,
  stopReplica,
} from '@berth/api/server';
import { Secret, newId, systemClock } from '@berth/core';
import { createSealer } from '@berth/core/sealer';
import { randomToken } from '@berth/core/secrets';
import { migrate, openBus, openDatabase, recordCorrectTimes, requireCorrectTimes } from '@berth/db';
import { startEmbeddedPostgres } from '@berth/db/embedded';
import { createHttpServer } from '@berth/rest';
import type { Logger } from 'pino';
import { AgentBundles } from './agent-bundle.ts';
import { mountAgentDownloads } from './agent-downloads.ts';
import { npmPackages } from './agent-packages.ts';
import type { Config, FirstUserSettings } from './config.ts';
import { ConfigError, defaultAccessUrl, npmEnvironment, defaultRelayAddress, wildcardHostOf } from './config.ts';
import { diskOf } from './disk.ts';
import { createMailer } from './mailer.ts';
import { ServerMetrics, serveMetrics } from './metrics.ts';
import { ProvisionerChild } from './provisioner-child.ts';
import { loadDeployment } from './settings-store.ts';
import { mountDashboard } from './static-dashboard.ts';

const DASHBOARD_DIST = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
const AGENT_DIST = fileURLToPath(new URL('../../agent/dist', import.meta.url));
const TEMPLATES = fileURLToPath(new URL('../../../templates', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));
const LOCKFILE = fileURLToPath(new URL('../../../pnpm-lock.yaml', import.meta.url));
const POOL_SIZE = 10;

export interface RunningServer {
  readonly url: string;
  /** Whether nobody has an account yet. */
  readonly isFresh: boolean;
  stop(): Promise<void>;
}

/** Undoes what was started, last first; a failure of one step does not keep the others from running. */
class Teardown {
  readonly #steps: { name: string; run: () => Promise<void> }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, run: () => Promise<void>): void {
    this.#steps.unshift({ name, run });
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0)) {
      await step.run().catch((error: unknown) => this.#log.error({ err: error, step: step.name }, 'a part did not stop cleanly'));
    }
  }
}

/** Starts everything that a server process is made of. When a part cannot start, what was started is stopped again. */
export async function startServer(config: Config, logger: Logger, onFatal: (reason: string) => void): Promise<RunningServer> {
  const teardown = new Teardown(logger);
  try {
    return await start(config, logger, teardown, onFatal);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function start(config: Config, logger: Logger, teardown: Teardown, onFatal: (reason: string) => void): Promise<RunningServer> {
  const databaseUrl = config.databaseUrl ?? (await embedded(config, logger, teardown, onFatal));
  await requireCorrectTimes(databaseUrl);
  const applied = await migrate({ url: databaseUrl });
  await recordCorrectTimes(databaseUrl);
  if (applied > 0) logger.info({ applied }, 'the database schema is up to date');

  const warn = (message: string): void => logger.warn({}, message);
  const database = openDatabase({ url: databaseUrl, poolSize: POOL_SIZE, log: warn });
  teardown.add('database', () => database.close());
  const bus = await openBus({ url: databaseUrl, log: warn });
  teardown.add('bus', () => bus.close());

  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const accessUrl = config.accessUrl ?? defaultAccessUrl(config.host, port);
  const builtinProvisionerKey = new Secret(config.startsProvisioner ? randomToken(43) : '');
  const { prisma } = database;
  const sealer = createSealer(config.sealingKeys.map((key) => key.reveal()));
  await requireSealingKeys({ prisma, sealer });
  const metrics = new ServerMetrics();
  const settings: Settings = {
    ...(await loadDeployment(prisma)),
    accessUrl,
    version: versionOf(PACKAGE),
    replica: { id: newId(), hostname: hostname(), relayUrl: config.relayAddress ?? defaultRelayAddress(config.host, port, hostname()) },
    wildcardHost: wildcardHostOf(config.wildcardAccessUrl, accessUrl),
    pathApps: config.pathApps,
    templatesDir: TEMPLATES,
    builtinProvisionerKey,
    allowWorkspaceRenames: config.allowWorkspaceRenames,
    quietHoursDefault: config.quietHoursDefault,
    allowCustomQuietHours: config.allowCustomQuietHours,
    signOn: config.signOn,
    externalAuth: config.externalAuth,
    scimToken: config.scimToken,
    docsUrl: config.docsUrl,
    supportLinks: config.supportLinks,
    options: config.options,
  };
  const services: Services = {
    prisma,
    bus,
    clock: systemClock,
    log: logger,
    metrics,
    settings,
    authenticator: new CachingAuthenticator({ prisma, bus, clock: systemClock, log: logger, settings: { builtinProvisionerKey } }),
    tunnels: createTunnelRegistry({ prisma, bus, clock: systemClock, log: logger, settings }),
    activity: new Activity(systemClock),
    traffic: new Traffic(systemClock),
    sealer,
    mailer: createMailer(config.mail),
    disk: diskOf(config.dataDir),
    loginLimit: createRateLimit(LOGIN_LIMIT_PER_MINUTE),
    reportLimit: createRateLimit(REPORT_LIMIT_PER_MINUTE),
  };
  if (config.firstUser !== null) await ensureFirstUser(services, config.firstUser);

  const app = await createHttpServer({
    services,
    logger,
    trustedProxies: config.trustedProxies,
    rateLimitPerMinute: config.rateLimitPerMinute,
  });
  const bundles = new AgentBundles({
    agentDir: AGENT_DIST,
    nodeBinary: process.execPath,
    folder: join(config.dataDir, 'agent'),
    log: logger,
    packages: npmPackages({ lockfile: LOCKFILE, environment: npmEnvironment(), scratch: join(config.dataDir, 'agent', 'fetched') }),
  });
  mountAgentDownloads(app, bundles, accessUrl);
  await mountDashboard(app, DASHBOARD_DIST);
  teardown.add('tunnels', () => services.tunnels.closeAll());
  teardown.add('http', () => app.close());
  if (config.metricsAddress !== null) teardown.add('metrics', await serveMetrics(metrics, config.metricsAddress));
  await registerReplica(services);
  teardown.add('replica', () => stopReplica(services));
  await listen(app, config.host, port);

  const loops = startLoops(services);
  teardown.add('loops', () => loops.stop());
  if (config.startsProvisioner) {
    const child = new ProvisionerChild({
      url: localUrl(config.host, port),
      key: builtinProvisionerKey.reveal(),
      dataDir: config.dataDir,
      log: logger,
    });
    child.start();
    teardown.add('provisioner', () => child.stop());
  }
  const first = await prisma.user.findFirst({ where: { deleted: false }, select: { id: true } });
  return { url: accessUrl, isFresh: first === null, stop: () => teardown.run() };
}

async function embedded(config: Config, logger: Logger, teardown: Teardown, onFatal: (reason: string) => void): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => logger.info({}, message),
    onUnexpectedExit: onFatal,
  });
  teardown.add('postgres', () => postgres.stop());
  return postgres.url;
}

async function listen(app: Awaited<ReturnType<typeof createHttpServer>>, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        `Something else listens on ${host}:${port}. Stop it, or choose another address: BERTH_HTTP_ADDRESS=127.0.0.1:3001 npm start`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new ConfigError(`BERTH_HTTP_ADDRESS ${host}:${port} cannot be used: ${String(error)}`);
    }
    throw error;
  }
}

/** Where the child on this very machine reaches the server, whatever the access URL says. */
function localUrl(host: string, port: number): string {
  return defaultAccessUrl(host, port);
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

function versionOf(packageFile: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile, 'utf8'));
  return `v${version}`;
}

/** Creates the account of the settings while there is none; afterwards the settings have no effect. */
async function ensureFirstUser(services: Services, user: FirstUserSettings): Promise<void> {
  const first = await services.prisma.user.findFirst({ where: { deleted: false }, select: { id: true } });
  if (first !== null) return;
  const context: Context = {
    services,
    authenticate: () => Promise.resolve({ kind: 'anonymous' }),
    request: { requestId: newId(), ip: '127.0.0.1', userAgent: 'settings' },
    response: { setCookie: () => undefined },
  };
  try {
    await appRouter.createCaller(context).users.createFirst({ ...user });
  } catch (error) {
    throw new ConfigError(
      `The account of BERTH_FIRST_USER_* could not be made: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  services.log.info({ username: user.username }, 'the first account is there');
}
