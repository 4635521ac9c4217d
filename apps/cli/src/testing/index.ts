import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApi } from '@berth/api/testing';
import { createTestApi } from '@berth/api/testing';
import { createHttpServer } from '@berth/rest';
import type { Given } from '@berth/testing';
import { given } from '@berth/testing';
import { afterAll } from 'vitest';
import type { Result } from './run.ts';
import { run } from './run.ts';

export type { Result } from './run.ts';
export { run } from './run.ts';

export interface TestCli extends TestApi {
  readonly url: string;
  readonly rows: Given;
  /** Runs command lines as this user, with a session token in the environment. */
  as(userId: string): Promise<(...argv: readonly string[]) => Promise<Result>>;
  /** A folder of its own for what `berth login` keeps. */
  configFolder(): Promise<string>;
  /** Does the next job of an organization as a provisioner would. */
  provision(organizationId: string, outcome?: Outcome): Promise<void>;
}

export interface Outcome {
  readonly logs?: readonly string[];
  /** Fails with this error. */
  readonly error?: string;
  readonly errorCode?: '' | 'REQUIRED_TEMPLATE_VARIABLES';
  /** What the job makes before it ends. */
  make?(jobId: string): Promise<unknown>;
}

/** A real server of one test file, on a database of its own, which listens. Call at the file's top level. */
export async function createTestCli(settings: Parameters<typeof createTestApi>[0] = {}): Promise<TestCli> {
  const api = await createTestApi(settings);
  const app = await createHttpServer({ services: api.services });
  await app.listen({ host: '127.0.0.1', port: 0 });
  afterAll(() => app.close());
  // Fastify answers an address of TCP, as it was asked to listen on.
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...api,
    url,
    rows: given(api.prisma),
    as: async (userId) => {
      const token = await api.keyOf(userId);
      return (...argv) => run(argv, { env: { BERTH_URL: url, BERTH_SESSION_TOKEN: token } });
    },
    configFolder: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'berth-cli-'));
      afterAll(() => rm(folder, { recursive: true, force: true }));
      return join(folder, 'config');
    },
    provision: (organizationId, outcome) => provision(api, organizationId, outcome),
  };
}

async function provision(api: TestApi, organizationId: string, { logs = [], error, errorCode = '', make }: Outcome = {}): Promise<void> {
  const { provisionerApi } = api.callAs({ kind: 'provisioner', organizationId, keyId: null, tags: {} });
  const session = { session_id: crypto.randomUUID() };
  const { daemon_id } = await provisionerApi.registerDaemon({
    ...session,
    name: 'one',
    version: 'v1',
    provisioners: ['process'],
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  });
  const { job } = await provisionerApi.acquireJob({ ...session, daemon_id, wait_ms: 20_000 });
  if (job === null) throw new Error('no job came');
  await make?.(job.id);
  const lease = { job_id: job.id, lease_token: job.lease_token };
  await provisionerApi.heartbeat({
    ...lease,
    logs: logs.map((output) => ({ level: 'info', stage: 'Making it', output, created_at: api.clock.now().toISOString() })),
  });
  if (error === undefined && job.kind === 'template_version_import') {
    await provisionerApi.completeImport({ ...lease, readme: '', variables: [], parameters: [], start_resources: [], stop_resources: [] });
  } else if (error === undefined) {
    await provisionerApi.completeBuild({ ...lease, state: '', timings: [] });
  } else {
    await provisionerApi.failJob({ ...lease, error, error_code: errorCode, canceled: false });
  }
}
