import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { environmentOfNext, readEnv, takeHandover } from './env.ts';
import { writeHandover } from './update/handover.ts';

test('the token leaves the environment, and commands inherit none of the settings of the agent', () => {
  const env = {
    BERTH_AGENT_URL: 'http://localhost:3000',
    BERTH_AGENT_TOKEN: 'secret',
    NODE_OPTIONS: '--inspect',
    PATH: '/bin',
    HOME: '/home/ada',
  };
  const read = readEnv({ env });
  expect(read).toMatchObject({ url: 'http://localhost:3000', token: 'secret', home: '/home/ada' });
  expect(read.inherited).toEqual({ PATH: '/bin', HOME: '/home/ada' });
  expect(env).not.toHaveProperty('BERTH_AGENT_TOKEN');
});

test('the token may lie in a file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-env-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'token');
  await writeFile(file, 'from-a-file\n');
  expect(readEnv({ env: { BERTH_AGENT_URL: 'http://localhost', BERTH_AGENT_TOKEN_FILE: file } }).token).toBe('from-a-file');
});

test('a missing setting is a sentence that names it', () => {
  expect(() => readEnv({ env: { BERTH_AGENT_TOKEN: 'x' } })).toThrow(/BERTH_AGENT_URL/);
  expect(() => readEnv({ env: { BERTH_AGENT_URL: 'http://localhost' } })).toThrow(/BERTH_AGENT_TOKEN/);
});

test('what an earlier version handed over wins, and nothing of it reaches the commands of the workspace', () => {
  const env = { BERTH_AGENT_URL: 'http://old.test', BERTH_AGENT_HANDOVER: '/x', BERTH_AGENT_UPDATE_SECONDS: '5', PATH: '/bin', HOME: '/h' };
  const read = readEnv({ env, handover: { url: 'http://new.test', token: 'handed-over' } });
  expect(read).toMatchObject({
    url: 'http://new.test',
    token: 'handed-over',
    updates: true,
    updateSeconds: 5,
    inherited: { PATH: '/bin', HOME: '/h' },
  });
});

test.each([
  ['false', false],
  ['0', false],
  ['no', false],
  ['', true],
  ['true', true],
])('BERTH_AGENT_UPDATE=%s means %s', (BERTH_AGENT_UPDATE, updates) => {
  expect(readEnv({ env: { BERTH_AGENT_URL: 'http://localhost', BERTH_AGENT_TOKEN: 'x', BERTH_AGENT_UPDATE } }).updates).toBe(updates);
});

test('the file of an earlier version is for this user alone, and read once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-env-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const handover = {
    url: 'http://a.test',
    token: 't',
    from_version: 'v1.0.0',
    lifecycle: 'ready' as const,
    folder,
    git_folder: '',
    outputs: [],
  };
  const file = writeHandover(handover);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const env = environmentOfNext(file, { PATH: '/bin' });
  expect(env).toEqual({ PATH: '/bin', BERTH_AGENT_HANDOVER: file });
  expect(takeHandover(env)).toEqual(handover);
  expect(env).toEqual({ PATH: '/bin' });
  await expect(stat(file)).rejects.toThrow();
  expect(takeHandover({})).toBeUndefined();
});
