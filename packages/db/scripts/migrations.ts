/**
 * `pnpm db:migrate <name>` writes the SQL from the migrations so far to the schema as a new migration, to be reviewed.
 * `pnpm db:drift` fails when the migrations do not make exactly what the schema says.
 * Both work on a throw-away PostgreSQL and need no network.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/embedded/index.ts';
import { migrate, migrationsDir } from '../src/migrate.ts';
import { diffToSchema, readSchema } from './schema-engine.ts';

const schemaDir = fileURLToPath(new URL('../../../prisma/schema', import.meta.url));
const [command, name] = process.argv.slice(2);

if (command === 'drift') {
  const sql = await difference();
  if (sql !== '') {
    console.error(`The migrations do not make what prisma/schema says. Missing:\n${sql}\nWrite it: pnpm db:migrate <name>`);
    process.exitCode = 1;
  } else {
    console.log('Migrations and schema agree.');
  }
} else if (command === 'new' && name !== undefined && /^[a-z0-9_]+$/.test(name)) {
  const sql = await difference();
  if (sql === '') {
    console.log('Migrations and schema agree: nothing to write.');
  } else {
    const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const folder = join(migrationsDir, `${stamp}_${name}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(migrationsDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
    await writeFile(join(folder, 'migration.sql'), sql);
    console.log(`Wrote ${join(folder, 'migration.sql')}. Review it, and add what Prisma cannot say (checks, partial indexes).`);
  }
} else {
  console.error('Usage: pnpm db:migrate <name_in_snake_case>, or pnpm db:drift');
  process.exitCode = 2;
}

async function difference(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'berth-migrations-'));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  try {
    await migrate({ url: postgres.url });
    return await diffToSchema({ url: postgres.url, files: await readSchema(schemaDir) });
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
