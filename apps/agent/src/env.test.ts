import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { readEnv } from './env.ts';

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
