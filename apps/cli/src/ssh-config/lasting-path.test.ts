import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { isPassing, lastingPath } from './lasting-path.ts';

async function installed(): Promise<{ root: string; script: string; env: { PATH: string } }> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'berth-path-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const script = path.join(root, 'lib/berth-cli/berth.mjs');
  await mkdir(path.dirname(script), { recursive: true });
  await mkdir(path.join(root, 'bin'));
  await mkdir(path.join(root, 'other'));
  await writeFile(script, '');
  await writeFile(path.join(root, 'other/berth'), '');
  await symlink('../lib/berth-cli/berth.mjs', path.join(root, 'bin/berth'));
  return { root, script, env: { PATH: ['bin', `${root}/missing`, `${root}/other`, `${root}/bin`].join(path.delimiter) } };
}

test('the path that lasts is the one on the search path that leads to this program', async () => {
  const { root, script, env } = await installed();
  expect(lastingPath('berth', script, env)).toBe(path.join(root, 'bin/berth'));
  expect(lastingPath('berth', path.join(root, 'bin/berth'), env)).toBe(path.join(root, 'bin/berth'));
});

test('a program that is not on the search path is named by its real file', async () => {
  const { root, script } = await installed();
  expect(lastingPath('berth', path.join(root, 'bin/berth'), { PATH: path.join(root, 'other') })).toBe(script);
  expect(lastingPath('berth', script, {})).toBe(script);
});

test('checkouts, temporary folders and the cache of npx do not last', () => {
  expect(isPassing('/home/ada/berth/apps/cli/dist/berth.mjs', '/home/ada/berth')).toBe(true);
  expect(isPassing('/home/ada/.npm/_npx/1b2c/node_modules/.bin/berth', null)).toBe(true);
  expect(isPassing('/home/ada/berth-tools/bin/berth', '/home/ada/berth')).toBe(false);
  expect(isPassing('/usr/local/bin/berth', null)).toBe(false);
});
