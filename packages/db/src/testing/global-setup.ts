import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../embedded/index.ts';
import { findRunning, stopPostgres } from '../embedded/process.ts';
import { keepsTestDatabases } from '../env.ts';
import { migrate } from '../migrate.ts';
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
    database: TEMPLATE_DATABASE,
    settings: { max_connections: '300', shared_buffers: '64MB', autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  });
  await migrate({ url: postgres.url });
  await freezeTemplate(postgres.url);
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

/** Statistics once, for good plans in every clone; then nobody may connect, since a database with sessions cannot be cloned. */
async function freezeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM (ANALYZE, FREEZE)');
  await client.query(`ALTER DATABASE ${TEMPLATE_DATABASE} IS_TEMPLATE true`);
  await client.end();
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
