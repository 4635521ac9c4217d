import { randomBytes } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '../client.ts';
import { keepsTestDatabases } from '../env.ts';
import { openClient } from '../session.ts';
import { databaseOptions } from './elsewhere.ts';
import { TEMPLATE_DATABASE } from './template.ts';

export interface TestDatabase extends Database {
  readonly url: string;
}

/**
 * A database of its own for the test file that calls it, at the file's top level: `const { prisma } = await createTestDatabase()`.
 * It is a clone of the migrated template, and is closed and dropped after the file's last test. With
 * BERTH_KEEP_TEST_DATABASES=1 the one of a failed file is kept and its URL is printed.
 */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(TEMPLATE_DATABASE);
  const database = openDatabase({ url, poolSize: options.poolSize ?? 5 });
  afterAll(async ({}, file) => {
    await database.close();
    if (file.result?.state === 'fail' && keepsTestDatabases()) {
      process.stderr.write(`The database of ${file.name} is kept: ${url}\n`);
      return;
    }
    await drop();
  });
  return { ...database, url };
}

/** The same database without a client, for tests of what connects on its own; with `isEmpty` without tables, and with `locale` in that ICU locale. */
export async function createTestDatabaseUrl(options: { isEmpty?: boolean; locale?: string } = {}): Promise<string> {
  const { url, drop } = await createDatabase(options.isEmpty === true ? `template0${optionsFor(options.locale)}` : TEMPLATE_DATABASE);
  afterAll(drop);
  return url;
}

async function createDatabase(template: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = serverUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

function optionsFor(locale: string | undefined): string {
  return locale === undefined ? databaseOptions : ` LOCALE_PROVIDER icu ICU_LOCALE '${locale}'`;
}

function serverUrl(): string {
  const url: string | undefined = inject('berthTestServer');
  if (url === undefined) {
    throw new Error('No test PostgreSQL: name the file *.db.test.ts or *.api.test.ts, and run vitest in the repository root.');
  }
  return url;
}

async function onServer(server: string, sql: string): Promise<void> {
  const url = new URL(server);
  url.pathname = '/postgres';
  const client = await openClient({ connectionString: url.href });
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
