import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { openFirstClient } from './session.ts';
import { DatabaseStartError } from './start-error.ts';

/** The repository's migrations: one folder each, in the order of their names, with a `migration.sql`. */
export const migrationsDir = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** The key under which Prisma Migrate itself locks a database, so that both exclude each other. */
const PRISMA_LOCK_KEY = 72_707_369;
const LOCK_TIMEOUT_MS = 120_000;

// Exactly the table that Prisma Migrate makes and reads.
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export interface MigrateOptions {
  readonly url: string;
  readonly dir?: string;
  readonly log?: (message: string) => void;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/**
 * Applies each migration that the database does not have yet, each in its own transaction, under Prisma's advisory lock:
 * N servers that start together apply each one once. Returns how many were applied. Throws a sentence for a person, and
 * changes nothing, when the database is newer than this Berth, when an applied migration was edited, or when
 * an earlier one is half applied.
 */
export async function migrate({ url, dir = migrationsDir, log = () => undefined }: MigrateOptions): Promise<number> {
  const migrations = await readMigrations(dir);
  const client = await openFirstClient(url, 'berth migrate');
  try {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK_KEY]);
    await client.query('SET lock_timeout = 0');
    await client.query('SET client_min_messages = warning');
    await client.query(CREATE_TABLE);
    const pending = await findPending(client, migrations);
    if (pending.length === migrations.length) await requireUsableLocale(client);
    for (const migration of pending) {
      log(`Migrating the database: ${migration.name}`);
      await apply(client, migration);
    }
    return pending.length;
  } finally {
    await client.end();
  }
}

/**
 * Names and e-mail addresses are compared without case by the rules of the database. Where the lower case of `I` is not `i`, as in
 * Turkish, some are not found. Asked while nothing is in the database, when it can still be made with another locale.
 */
async function requireUsableLocale(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ lower: string; encoding: string; name: string }>(
    "SELECT lower('I') AS lower, current_setting('server_encoding') AS encoding, current_database() AS name",
  );
  const [row] = rows;
  if (row === undefined || (row.lower === 'i' && row.encoding === 'UTF8')) return;
  const what = row.encoding === 'UTF8' ? 'has a locale in which the lower case of "I" is not "i"' : `has the encoding ${row.encoding}`;
  throw new DatabaseStartError(
    `The database ${row.name} ${what}. Create it as: CREATE DATABASE ${row.name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'`,
  );
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum, finished_at, rolled_back_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = known.get(row.migration_name);
    if (migration === undefined) {
      throw new DatabaseStartError(
        `The database was already used by a newer Berth: it has the migration ${row.migration_name}, which this one does not know. ` +
          'Start that newer Berth, or restore a backup made before it.',
      );
    }
    if (row.finished_at === null) {
      throw new DatabaseStartError(
        `The migration ${row.migration_name} was begun and not finished. Restore a backup, or see "prisma migrate resolve" in prisma/README.md.`,
      );
    }
    if (row.checksum !== migration.checksum) {
      throw new DatabaseStartError(
        `The migration ${row.migration_name} was edited after this database had applied it. Undo the edit and add a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [id, checksum, name]);
    await client.query(sql);
    await client.query('UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1', [id]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new DatabaseStartError(`The migration ${name} failed and was undone: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
