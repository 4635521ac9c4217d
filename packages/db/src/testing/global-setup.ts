import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../embedded/index.ts';
import { findRunning, stopPostgres } from '../embedded/process.ts';
import { keepsTestDatabases } from '../env.ts';
import { migrate } from '../migrate.ts';
import { openClient } from '../session.ts';
import { databaseOptions, serverSettings } from './elsewhere.ts';
import { TEMPLATE_DATABASE } from './template.ts';

const PREFIX = 'berth-test-';

/**
 * One PostgreSQL for the test run, with one migrated database that each test file clones. Vitest calls it only when a test of a
 * database project runs. BERTH_KEEP_TEST_DATABASES=1 leaves it running at the end, to look into what a failed test left.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    database: 'postgres',
    settings: {
      max_connections: '300',
      shared_buffers: '64MB',
      autovacuum: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      ...serverSettings,
    },
  });
  await createTemplate(postgres.url);
  project.provide('berthTestServer', postgres.url);
  return async () => {
    if (keepsTestDatabases()) {
      process.stderr.write(`PostgreSQL of the tests is kept: ${postgres.url} (kill -INT ${postgres.pid}; rm -r ${dataDir})\n`);
      return;
    }
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The migrated database, with statistics taken once, for good plans in every clone. */
async function createTemplate(serverUrl: string): Promise<void> {
  await run(serverUrl, `CREATE DATABASE ${TEMPLATE_DATABASE} TEMPLATE template0${databaseOptions}`);
  const url = new URL(serverUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  await migrate({ url: url.href });
  await run(url.href, 'VACUUM (ANALYZE, FREEZE)', `ALTER DATABASE ${TEMPLATE_DATABASE} IS_TEMPLATE true`);
}

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = await openClient({ connectionString: url });
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Stops and removes what killed test runs left behind. */
async function sweepAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid)) || keepsTestDatabases()) continue;
    const folder = join(tmpdir(), name, 'postgres');
    const running = await findRunning(folder);
    if (running !== undefined) await stopPostgres(running.pid, folder);
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
