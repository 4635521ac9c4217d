import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { openClient } from './session.ts';
import { createTestDatabaseUrl } from './testing/index.ts';

const url = await createTestDatabaseUrl({ isEmpty: true });
const dir = await mkdtemp(join(tmpdir(), 'berth-migrations-test-'));

beforeEach(async () => {
  await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('each migration is applied once, in the order of names, and recorded as Prisma records it', async () => {
  await write('2_add', 'ALTER TABLE a ADD COLUMN y int');
  await write('1_make', 'CREATE TABLE a (x int)');
  expect(await migrate({ url, dir })).toBe(2);
  expect(await migrate({ url, dir })).toBe(0);
  const rows = await query(
    'SELECT migration_name, applied_steps_count, finished_at IS NOT NULL AS done, length(checksum) AS length FROM _prisma_migrations ORDER BY 1',
  );
  expect(rows).toEqual([
    { migration_name: '1_make', applied_steps_count: 1, done: true, length: 64 },
    { migration_name: '2_add', applied_steps_count: 1, done: true, length: 64 },
  ]);
});

test('servers that start together apply each migration once', async () => {
  await write('1_make', 'CREATE TABLE a (x int); INSERT INTO a VALUES (1)');
  const counts = await Promise.all([1, 2, 3, 4].map(() => migrate({ url, dir })));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
  expect(await query('SELECT x FROM a')).toEqual([{ x: 1 }]);
});

test('a migration that fails leaves nothing of itself and may be tried again', async () => {
  await write('1_make', 'CREATE TABLE a (x int)');
  await write('2_bad', 'CREATE TABLE b (x int); SELECT 1/0');
  await expect(migrate({ url, dir })).rejects.toThrow('The migration 2_bad failed and was undone: division by zero');
  expect(await query("SELECT to_regclass('a') IS NULL AS a, to_regclass('b') IS NULL AS b")).toEqual([{ a: false, b: true }]);
  await write('2_bad', 'CREATE TABLE b (x int)');
  expect(await migrate({ url, dir })).toBe(1);
});

test('a database that a newer Berth has used is refused with a sentence and not touched', async () => {
  await write('1_make', 'CREATE TABLE a (x int)');
  await write('2_newer', 'CREATE TABLE b (x int)');
  await migrate({ url, dir });
  await rm(join(dir, '2_newer'), { recursive: true });
  await write('1_other', 'CREATE TABLE c (x int)');
  await expect(migrate({ url, dir })).rejects.toThrow(/newer Berth: it has the migration 2_newer/);
  expect(await query("SELECT to_regclass('c') AS c")).toEqual([{ c: null }]);
});

test('a migration that was edited after it was applied is refused', async () => {
  await write('1_make', 'CREATE TABLE a (x int)');
  await migrate({ url, dir });
  await write('1_make', 'CREATE TABLE a (x bigint)');
  await expect(migrate({ url, dir })).rejects.toThrow(/1_make was edited/);
});

test('a new database in whose locale names would not be found in another case is refused, with how to create it', async () => {
  const turkish = await createTestDatabaseUrl({ isEmpty: true, locale: 'tr-TR' });
  await write('1_make', 'CREATE TABLE a (x int)');
  await expect(migrate({ url: turkish, dir })).rejects.toThrow(/the lower case of "I" is not "i". Create it as: CREATE DATABASE test_/);
});

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, name, 'migration.sql'), sql);
}

async function query(sql: string): Promise<unknown[]> {
  const client = await openClient({ connectionString: url });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
