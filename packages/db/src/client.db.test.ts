import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { databaseLimit, isDatabaseAway, isForeignKeyViolation, isRecordNotFound, isUniqueViolation } from './errors.ts';
import { createTestDatabase } from './testing/index.ts';

const { prisma, pool } = await createTestDatabase({ poolSize: 1 });

beforeAll(async () => {
  await pool.query('CREATE TABLE pairs (a int, b int, parent int); CREATE UNIQUE INDEX pairs_a_key ON pairs (a) WHERE b IS NULL');
  await pool.query(
    'CREATE TABLE parents (id int PRIMARY KEY); ALTER TABLE pairs ADD CONSTRAINT pairs_parent_fkey FOREIGN KEY (parent) REFERENCES parents (id)',
  );
});

test('a unique violation is recognised with its index, from a model, a raw statement and the pool', async () => {
  await pool.query('INSERT INTO pairs (a) VALUES (1)');
  const raw = await caught(prisma.$executeRaw`INSERT INTO pairs (a) VALUES (1)`);
  const direct = await caught(pool.query('INSERT INTO pairs (a) VALUES (1)'));
  for (const error of [raw, direct]) {
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'pairs_a_key')).toBe(true);
    expect(isUniqueViolation(error, 'another_key')).toBe(false);
    expect(isForeignKeyViolation(error)).toBe(false);
  }
  const file = { id: randomUUID(), key: 'k' };
  const data = { id: file.id, name: 'org', displayName: 'org' };
  await prisma.organization.create({ data });
  const model = await caught(prisma.organization.create({ data }));
  expect(isUniqueViolation(model)).toBe(true);
  expect(isUniqueViolation(model, 'organizations_pkey')).toBe(true);
});

test('a foreign key violation is told from a unique one', async () => {
  const error = await caught(prisma.$executeRaw`INSERT INTO pairs (a, parent) VALUES (2, 7)`);
  expect(isForeignKeyViolation(error, 'pairs_parent_fkey')).toBe(true);
  expect(isUniqueViolation(error)).toBe(false);
});

test.each([
  ['53100', 'disk'],
  ['53300', 'connections'],
  ['25006', 'read-only'],
] as const)('what the database has run out of is recognized from a model, a raw statement and the pool: %s', async (state, limit) => {
  await pool.query(`
    CREATE OR REPLACE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused' USING ERRCODE = '${state}'; END $$;
    CREATE OR REPLACE TRIGGER refuse_write BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION refuse_write()`);
  const insert = 'INSERT INTO organizations (id, name, display_name) VALUES (gen_random_uuid(), $1, $1)';
  const errors = [
    await caught(prisma.organization.create({ data: { id: randomUUID(), name: 'full', displayName: 'full' } })),
    await caught(prisma.$executeRawUnsafe(insert, 'full')),
    await caught(pool.query(insert, ['full'])),
  ];
  await pool.query('DROP TRIGGER refuse_write ON organizations');
  expect(errors.map(databaseLimit)).toEqual([limit, limit, limit]);
  expect(errors.map(isDatabaseAway)).toEqual([false, false, false]);
});

test('an update of an absent row is recognised', async () => {
  const error = await caught(prisma.organization.update({ where: { id: randomUUID() }, data: { name: 'x' } }));
  expect(isRecordNotFound(error)).toBe(true);
  const query = await caught(prisma.organization.findUniqueOrThrow({ where: { id: randomUUID() } }));
  expect(isRecordNotFound(query)).toBe(false);
});

test('only statements that come again are prepared under a name', async () => {
  for (let i = 0; i < 5; i++) await prisma.$queryRaw`SELECT ${'again'} AS word`;
  await prisma.$queryRaw`SELECT ${'once'} AS other_word`;
  const { rows } = await pool.query("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%word%'");
  expect(rows).toEqual([{ statement: 'SELECT $1 AS word' }]);
});

test('every connection bounds the time of a statement', async () => {
  const { rows } = await pool.query("SELECT current_setting('statement_timeout') AS bound");
  expect(rows).toEqual([{ bound: '1min' }]);
});

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => expect.fail('expected a rejection'),
    (error: unknown) => error,
  );
}
