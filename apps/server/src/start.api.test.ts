import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSealingKey } from '@berth/core/sealer';
import { openDatabase } from '@berth/db';
import { createTestDatabaseUrl, given } from '@berth/testing';
import { afterAll, expect, it } from 'vitest';

const base = await mkdtemp(join(tmpdir(), 'berth-start-'));
afterAll(() => rm(base, { recursive: true, force: true }));

interface Started {
  /** Resolves with the exit code and signal. */
  readonly exited: Promise<unknown[]>;
  /** Resolves once the server serves, or has ended. */
  readonly served: Promise<unknown>;
  said(): string;
  stop(): void;
}

/** A server process with a data folder of its own. */
const start = (name: string, env: Readonly<Record<string, string>>): Started => run('main.ts', [], name, env);

function run(script: string, args: readonly string[], name: string, env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args], {
    cwd: base,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: base,
      BERTH_DATA_DIR: join(base, name),
      BERTH_HTTP_ADDRESS: '127.0.0.1:0',
      BERTH_PROVISIONER_DAEMONS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterAll(() => void child.kill('SIGKILL'));
  let said = '';
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('Berth is ready')) resolve();
    });
  }
  const exited = once(child, 'close');
  return { exited, served: Promise.race([ready, exited]), said: () => said, stop: () => void child.kill('SIGTERM') };
}

it('of two servers on one database, one with other sealing keys is refused with what to set', async () => {
  const databaseUrl = await createTestDatabaseUrl();
  const [key, other] = [newSealingKey(), newSealingKey()];
  const first = start('first', { BERTH_DATABASE_URL: databaseUrl, BERTH_SEALING_KEYS: key });
  await first.served;
  expect(first.said()).toContain('Berth is ready');
  const second = start('second', { BERTH_DATABASE_URL: databaseUrl, BERTH_SEALING_KEYS: other });
  expect(await second.exited).toEqual([1, null]);
  expect(second.said()).toContain('Set BERTH_SEALING_KEYS to the same value on every server');
  const third = start('third', { BERTH_DATABASE_URL: databaseUrl, BERTH_SEALING_KEYS: `${other},${key}` });
  await third.served;
  expect(third.said()).toContain('Berth is ready');
  for (const server of [first, third]) server.stop();
  expect(await Promise.all([first.exited, third.exited])).toEqual([
    [0, null],
    [0, null],
  ]);
}, 120_000);

it('a server does not start on timestamps that an earlier version wrote in another zone, until they are repaired', async () => {
  const databaseUrl = await createTestDatabaseUrl();
  const { prisma, pool, close } = openDatabase({ url: databaseUrl, poolSize: 1 });
  await pool.query(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
  pool.on('connect', (client) => void client.query("SET TimeZone = 'Asia/Tokyo'"));
  await pool.query("SET TimeZone = 'Asia/Tokyo'");
  const { id } = await given(prisma).user({ createdAt: '2026-11-20T07:22:00Z' });
  await close();
  const settings = { BERTH_DATABASE_URL: databaseUrl, BERTH_SEALING_KEYS: newSealingKey() };
  const refused = start('tokyo', settings);
  expect(await refused.exited).toEqual([1, null]);
  expect(refused.said()).toContain('npm run database:repair-times');

  const dryRun = run('repair-times.ts', [], 'tokyo', settings);
  expect(await dryRun.exited).toEqual([0, null]);
  expect(dryRun.said()).toMatch(/users\.created_at +1 row, newest 2026-11-19 22:22:00\+00 -> 2026-11-20 07:22:00\+00/);
  expect(dryRun.said()).toContain('Nothing was changed.');
  const repair = run('repair-times.ts', ['--apply'], 'tokyo', settings);
  expect(await repair.exited).toEqual([0, null]);

  const server = start('tokyo', settings);
  await server.served;
  expect(server.said()).toContain('Berth is ready');
  server.stop();
  await server.exited;
  const after = openDatabase({ url: databaseUrl, poolSize: 1 });
  const user = await after.prisma.user.findUniqueOrThrow({ where: { id }, select: { createdAt: true } });
  await after.close();
  expect(user.createdAt).toEqual(new Date('2026-11-20T07:22:00Z'));
}, 120_000);

it.each([
  ['main.ts', ['anything'], 'Unknown argument "anything".\nUsage: npm start [-- --help]\n'],
  ['audit-verify.ts', [], `There is no database in ${join(base, 'absent')}. Set BERTH_DATA_DIR or BERTH_DATABASE_URL as for the server.\n`],
])(
  '%s %j ends with 2 and a sentence, and creates nothing',
  async (script, args, sentence) => {
    const command = run(script, args, 'absent');
    expect(await command.exited).toEqual([2, null]);
    expect(command.said()).toBe(sentence);
    expect(existsSync(join(base, 'absent'))).toBe(false);
  },
  60_000,
);
