/**
 * Prisma's schema engine, from its WebAssembly build: it compares a database with the schema without the native engine
 * that Prisma would fetch from the internet. For development only; the server needs none of it.
 */
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createPool } from '../src/session.ts';

const CHAR_OID = 18;
const BPCHAR_OID = 1042;

/**
 * The adapter does not know PostgreSQL's internal type "char", which the engine's catalogue queries return: present it as
 * bpchar. The engine asks for it as a single character, which the column type `Character` (6) says.
 */
function teachCharType(connection: object): void {
  type Performer = {
    performIO(query: unknown): Promise<{ fields: { dataTypeID: number; wasChar?: boolean }[] }>;
    queryRaw(query: unknown): Promise<{ columnTypes: number[] }>;
    isTaught?: boolean;
  };
  let prototype = connection;
  while (!Object.hasOwn(prototype, 'performIO')) prototype = Object.getPrototypeOf(prototype);
  const target = prototype as Performer;
  if (target.isTaught) return;
  target.isTaught = true;
  const { performIO, queryRaw } = target;
  const fieldsOf = new WeakMap<object, { wasChar?: boolean }[]>();
  target.performIO = async function (this: Performer, query) {
    const result = await performIO.call(this, query);
    for (const field of result.fields) {
      if (field.dataTypeID !== CHAR_OID) continue;
      field.dataTypeID = BPCHAR_OID;
      field.wasChar = true;
    }
    fieldsOf.set(this, result.fields);
    return result;
  };
  target.queryRaw = async function (this: Performer, query) {
    const result = await queryRaw.call(this, query);
    const fields = fieldsOf.get(this) ?? [];
    return { ...result, columnTypes: result.columnTypes.map((type, index) => (fields[index]?.wasChar ? 6 : type)) };
  };
}

export interface SchemaFile {
  readonly path: string;
  readonly content: string;
}

export async function readSchema(dir: string): Promise<SchemaFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.prisma')).toSorted();
  return await Promise.all(names.map(async (name) => ({ path: join(dir, name), content: await readFile(join(dir, name), 'utf8') })));
}

/** The SQL that turns the database at `url` into what the schema says; empty when it already is. */
export async function diffToSchema({ url, files }: { url: string; files: SchemaFile[] }): Promise<string> {
  await loadEngine();
  const pool = createPool({ connectionString: url });
  const factory = new PrismaPg(pool);
  const connection = await factory.connect();
  teachCharType(connection);
  await connection.dispose();
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: files.map((file) => [file.path, file.content]) },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  try {
    const result = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: ['public._prisma_migrations'], externalEnums: [] },
    });
    return result.exitCode === 0 ? '' : (result.stdout ?? '');
  } finally {
    engine.free();
    await pool.end();
  }
}

async function loadEngine(): Promise<void> {
  const require = createRequire(import.meta.url);
  const file = join(dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': engineModule });
  engineModule.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}
