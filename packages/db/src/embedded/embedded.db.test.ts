import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../client.ts';
import { isDatabaseAway } from '../errors.ts';
import { openClient } from '../session.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './index.ts';

const SLEEPERS = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()";
const folders: string[] = [];
const started: EmbeddedPostgres[] = [];

afterAll(async () => {
  await Promise.all(started.map((postgres) => postgres.stop()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

test('a parent that is killed loses nothing: the next start finds the running PostgreSQL and its data', async () => {
  const dataDir = await newFolder();
  const { pid } = await startInKilledParent(dataDir);
  const postgres = await start({ dataDir });
  expect(postgres).toMatchObject({ pid, isAdopted: true });
  expect(await query(postgres.url, 'SELECT word FROM kept')).toEqual([{ word: 'saved' }]);
  await postgres.stop();
  await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow();
});

test('a machine that lost everything recovers the committed data', async () => {
  const dataDir = await newFolder();
  const { pid } = await startInKilledParent(dataDir);
  process.kill(pid, 'SIGKILL');
  const postgres = await start({ dataDir });
  expect(postgres.isAdopted).toBe(false);
  expect(await query(postgres.url, 'SELECT word FROM kept')).toEqual([{ word: 'saved' }]);
});

test('a pid file whose number another program got does not block the start, nor harm that program', async () => {
  const dataDir = await newFolder();
  const first = await start({ dataDir });
  await first.stop();
  const bystander = spawn('sleep', ['60']);
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${bystander.pid}\n${dataDir}/postgres\n0\n${first.port}\n\n127.0.0.1\n`);
  const second = await start({ dataDir });
  expect(second.isAdopted).toBe(false);
  expect(bystander.exitCode).toBeNull();
  expect(bystander.signalCode).toBeNull();
  bystander.kill();
});

test('a second Berth on the same folder is refused with a sentence and does not disturb the first', async () => {
  const dataDir = await newFolder();
  const first = await start({ dataDir });
  await expect(startEmbeddedPostgres({ dataDir, durable: false })).rejects.toThrow(/Another Berth is running/);
  expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('only this machine can connect, only with the password, and only the owner can read it', async () => {
  const dataDir = await newFolder();
  const postgres = await start({ dataDir });
  expect(await query(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  await expect(query(postgres.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
});

test('a set-up that was cut off half-way leaves no half cluster behind', async () => {
  const dataDir = await newFolder();
  const cutOff = spawnStarter(dataDir, "process.kill(process.pid, 'SIGKILL')");
  while (!(await readdir(dataDir)).some((name) => name.startsWith('postgres.partial-'))) await sleep(5);
  cutOff.kill('SIGKILL');
  await once(cutOff, 'exit');
  const postgres = await start({ dataDir });
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('data of another major version is refused with a sentence that names both versions', async () => {
  const dataDir = await newFolder();
  const first = await start({ dataDir });
  await first.stop();
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start({ dataDir })).rejects.toThrow(/written by PostgreSQL 17; this Berth brings PostgreSQL 18/);
});

test.each(['SIGKILL', 'SIGINT'] as const)('PostgreSQL that ends by %s is back at the same address, with its data', async (signal) => {
  const dataDir = await newFolder();
  const postgres = await start({ dataDir, durable: true });
  await query(postgres.url, "CREATE TABLE kept AS SELECT 'saved' AS word");
  const before = postgres.pid;
  process.kill(before, signal);
  await expect.poll(() => query(postgres.url, 'SELECT word FROM kept').catch(() => []), { timeout: 20_000 }).toEqual([{ word: 'saved' }]);
  await expect.poll(() => postgres.pid).not.toBe(before);
  await expect(startEmbeddedPostgres({ dataDir, durable: false })).rejects.toThrow(/Another Berth is running/);
  await postgres.stop();
  await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow();
});

test('whatever work it goes away under is told from work that is wrong', async () => {
  const dataDir = await newFolder();
  const postgres = await start({ dataDir });
  const { prisma, close } = openDatabase({ url: postgres.url });
  await prisma.$queryRaw`SELECT 1`;
  const errors: unknown[] = [];
  const keep = (error: unknown): void => void errors.push(error);
  const { promise: gone, resolve: tellGone } = Promise.withResolvers<void>();
  const held = prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1`;
    await gone;
    await db.$queryRaw`SELECT 1`;
  });
  const works = [prisma.$queryRaw`SELECT pg_sleep(30)`, held].map((work) => work.then(() => keep('it worked'), keep));
  await expect.poll(async () => (await query(postgres.url, SLEEPERS)).length).toBe(1);
  process.kill(postgres.pid, 'SIGKILL');
  let isBack = false;
  while (!isBack) {
    await prisma.$queryRaw`SELECT 1`.then(() => (isBack = errors.length > 1), keep);
    await prisma.$transaction((db) => db.$queryRaw`SELECT 1`).catch(keep);
    tellGone();
  }
  await Promise.all(works);
  await close();
  expect(errors.filter((error) => !isDatabaseAway(error))).toEqual([]);
  expect(isDatabaseAway(new Error('The table is gone.'))).toBe(false);
});

test('a session that crashes takes the others with it, and the owner owns what comes back', async () => {
  const dataDir = await newFolder();
  const said: string[] = [];
  const postgres = await start({ dataDir, log: (message) => said.push(message) });
  const { pid } = postgres;
  const victim = await openClient({ connectionString: postgres.url });
  const [row] = (await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  process.kill(row?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => said.at(-1), { timeout: 20_000 }).toBe(`PostgreSQL (pid ${pid}) is back.`);
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(startEmbeddedPostgres({ dataDir, durable: false })).rejects.toThrow(/Another Berth is running/);
});

test('PostgreSQL that ends by itself and cannot be brought back is told to its owner', async () => {
  const dataDir = await newFolder();
  const { promise, resolve } = Promise.withResolvers<string>();
  const postgres = await start({ dataDir, onUnexpectedExit: resolve });
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  process.kill(postgres.pid, 'SIGINT');
  expect(await promise).toMatch(/cannot be brought back: .*written by PostgreSQL 17/);
});

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(options);
  started.push(postgres);
  return postgres;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `berth-test-${process.pid}-embedded-`));
  folders.push(folder);
  return folder;
}

/** Starts PostgreSQL in a process of its own, which commits a row and is then killed with no chance to clean up. */
async function startInKilledParent(dataDir: string): Promise<{ pid: number }> {
  const child = spawnStarter(
    dataDir,
    `const client = await openClient({ connectionString: postgres.url });
     await client.query("CREATE TABLE kept AS SELECT 'saved' AS word");
     process.kill(process.pid, 'SIGKILL');`,
  );
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const pid = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return { pid };
}

function spawnStarter(dataDir: string, then: string) {
  const source = `
    import { openClient } from '${new URL('../session.ts', import.meta.url).href}';
    import { startEmbeddedPostgres } from '${new URL('index.ts', import.meta.url).href}';
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    ${then}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: new URL('.', import.meta.url).pathname,
  });
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await openClient({ connectionString: url });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
