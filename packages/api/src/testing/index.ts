import { ManualClock, Secret, newId } from '@berth/core';
import { createSealer, newSealingKey } from '@berth/core/sealer';
import { openBus } from '@berth/db';
import type { Bus, PrismaClient } from '@berth/db';
import { createTestDatabase } from '@berth/db/testing';
import { parseWildcardHost } from '@berth/domain';
import type { TestDatabase } from '@berth/db/testing';
import { afterAll } from 'vitest';
import { Activity } from '../activity/index.ts';
import { createTunnelRegistry } from '../agents/tunnel-registry.ts';
import { Traffic } from '../deployment-stats/index.ts';
import { CachingAuthenticator } from '../auth/authenticator.ts';
import { createApiKey } from '../auth/sessions.ts';
import { readSubject } from '../auth/subject-row.ts';
import type { Context, Principal, Services, Settings } from '../kernel/context.ts';
import type { Loop } from '../kernel/loop.ts';
import { startLoop } from '../kernel/loop.ts';
import { beatReplica } from '../replicas/index.ts';
import { appRouter } from '../router.ts';

export { givenTemplateFile } from './template-file.ts';

export interface TestApi {
  readonly prisma: PrismaClient;
  readonly bus: Bus;
  /** Starts now, and moves only when told to. */
  readonly clock: ManualClock;
  readonly services: Services;
  /** Of the file's database, for what stands for another server process. */
  readonly databaseUrl: string;
  /** Calls the router as `principal`, without a door. */
  callAs(principal: Principal, request?: Partial<Context['request']>): ReturnType<typeof appRouter.createCaller>;
  /** Calls the router as a user whose roles and groups are read from the database at each call. */
  callAsUser(userId: string, request?: Partial<Context['request']>): ReturnType<typeof appRouter.createCaller>;
  /** How many statements `work` sends to the database, transactions' own included. */
  countStatements(work: () => Promise<unknown>): Promise<number>;
  /** A real API key of a user, for tests that go through a door. */
  keyOf(userId: string): Promise<string>;
}

export const TEST_SETTINGS: Settings = {
  accessUrl: 'http://berth.test',
  version: 'v0.0.0-test',
  deploymentId: '7b0c6a52-3b8b-4a1c-9d0e-0d4f9f6f3c11',
  templatesDir: new URL('../../../../templates', import.meta.url).pathname,
  csrfKey: new Uint8Array(32).fill(7),
  deploymentKey: new Uint8Array(32).fill(9),
  replica: { id: '4f6f0c1e-9f0b-4c58-8d5f-2a1a8f3c7e55', hostname: 'test', relayUrl: '' },
  wildcardHost: parseWildcardHost('*.apps.berth.test'),
  pathApps: { isEnabled: true, allowsSharing: false, allowsSiteOwners: false },
  builtinProvisionerKey: new Secret('a-test-key-of-the-built-in-provisioner-daemon'),
  allowWorkspaceRenames: false,
  quietHoursDefault: 'CRON_TZ=UTC 0 0 * * *',
  allowCustomQuietHours: true,
  signOn: { password_enabled: true, terms_of_service_url: '', providers: [] },
  externalAuth: [],
  scimToken: null,
  docsUrl: '',
  supportLinks: [],
  options: [],
};

/**
 * The services of one test file on a database of its own, and callers for any principal. Call at the file's top level. `parts` stand
 * in for the usual services, such as a mailer that keeps what it sends.
 */
export async function createTestApi(overrides: Partial<Settings> = {}, parts: Partial<Services> = {}): Promise<TestApi> {
  const { prisma, pool, url } = await createTestDatabase();
  const bus = await openBus({ url });
  afterAll(() => bus.close());
  const clock = new ManualClock(new Date());
  const settings = { ...TEST_SETTINGS, ...overrides };
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const services: Services = {
    prisma,
    bus,
    clock,
    settings,
    log,
    metrics: { loopTurn: () => undefined, scheduleRule: () => undefined, values: () => Promise.resolve({ berth_test: 1 }) },
    authenticator: new CachingAuthenticator({ prisma, bus, clock, log, settings }),
    tunnels: createTunnelRegistry({ prisma, bus, clock, log, settings }),
    activity: new Activity(clock),
    traffic: new Traffic(clock),
    sealer: createSealer([newSealingKey()]),
    mailer: { isConfigured: false, send: () => Promise.reject(new Error('no mail in tests that do not bring a mailer')) },
    disk: { folder: '/data', space: () => Promise.resolve({ totalBytes: 2 ** 40, freeBytes: 2 ** 39, freeFiles: null }) },
    loginLimit: { consume: () => Promise.resolve() },
    reportLimit: { consume: () => Promise.resolve() },
    ...parts,
  };
  const call = (
    authenticate: () => Promise<Principal>,
    request: Partial<Context['request']> = {},
  ): ReturnType<typeof appRouter.createCaller> =>
    appRouter.createCaller({
      services,
      authenticate,
      request: { requestId: newId(), ip: '192.0.2.1', userAgent: 'test', ...request },
      response: { setCookie: () => undefined },
    });
  return {
    prisma,
    bus,
    clock,
    services,
    databaseUrl: url,
    callAs: (principal, request) => call(() => Promise.resolve(principal), request),
    countStatements: (work) => countStatements(pool, work),
    callAsUser: (userId, request) => call(() => userPrincipal(prisma, userId), request),
    keyOf: async (userId) => (await createApiKey(prisma, clock, { userId, loginType: 'password', lifetimeSeconds: 3600, ip: '' })).token,
  };
}

/**
 * Counts what work asks of the pool, by standing in front of its connections' `query` while they are taken. What a new connection asks of
 * its own, and what other pools of the process ask, does not count; other work on the same pool at the same time does.
 */
async function countStatements(pool: TestDatabase['pool'], work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const connection: { query: (...args: unknown[]) => unknown } = Object.getPrototypeOf(client);
  client.release();
  const { query } = connection;
  const taken = new WeakSet<object>();
  const take = (by: object): unknown => taken.add(by);
  const giveBack = (_error: unknown, by: object): unknown => taken.delete(by);
  let count = 0;
  connection.query = function (...args) {
    if (taken.has(this)) count += 1;
    return Reflect.apply(query, this, args);
  };
  pool.on('acquire', take).on('release', giveBack);
  try {
    await work();
  } finally {
    connection.query = query;
    pool.off('acquire', take).off('release', giveBack);
  }
  return count;
}

/** The principal of a user as the database has it now. */
export async function userPrincipal(prisma: PrismaClient, userId: string): Promise<Principal> {
  const found = await readSubject(prisma, userId);
  if (found === null) throw new Error(`no user ${userId}`);
  return { kind: 'user', userId, username: found.username, keyId: '', subject: found.subject };
}

/** For tests that sign in with a password. */
export { hashPassword as hashPasswordForTest } from '../auth/passwords.ts';

/** The two parts of a resumable item, which a caller without a door gets as a pair although its type says otherwise. */
export function trackedParts<T>(item: { readonly id: string; readonly data: T }): { readonly id: string; readonly data: T } {
  const [id, data] = item as unknown as readonly [string, T];
  return { id, data };
}

/** An external service that tests link accounts of. */
export type { FakeCodeHost } from './fake-code-host.ts';
export { FAKE_CODE_HOST_CLIENT, always, startFakeCodeHost } from './fake-code-host.ts';

/** The agent's end of a tunnel, for tests that stand in for one. */
export { ResumableHost, connectResumable } from '@berth/protocol/resumable';
export type { PtyRequest, SshRequest } from '@berth/protocol/tunnel';
export { ByteSocket, serveTunnel } from '@berth/protocol/tunnel';

/** What a server process does in the background so that other replicas know of it. */
export function giveSignsOfLife(services: Services): Loop {
  return startLoop(services, { name: 'replica', everyMs: 2000, turn: () => beatReplica(services).then(() => false) });
}

/** For tests that knock at the door between replicas. */
export { signRelayRequest } from '../agents/relay/credential.ts';

/** The table of permissions, for tests that make narrow keys. */
export type { Permission } from '@berth/rbac';
export { PERMISSIONS, isPermission } from '@berth/rbac';

/** One turn of the loop that renews the tokens of providers. */
export { freshAccessToken, refreshProviderTokens } from '../sign-on/refresh-tokens.ts';

/** One turn of the loop that measures the way to agents. */
export { measureLatencies } from '../agents/latency.ts';
