import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSealingKey } from '@berth/core/sealer';
import { createTestDatabaseUrl } from '@berth/testing';
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
