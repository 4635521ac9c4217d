import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOnce } from './read-once.ts';

const folder = await mkdtemp(join(tmpdir(), 'berth-read-once-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a file is read from disk once, however many ask for it', async () => {
  const path = join(folder, 'bundle.js');
  await writeFile(path, 'first');
  const read = readOnce(path);
  const answers = await Promise.all([read(), read()]);
  await rm(path);
  expect([...answers, await read()].map(String)).toEqual(['first', 'first', 'first']);
});

test('a file that cannot be read is tried again', async () => {
  const path = join(folder, 'late.js');
  const read = readOnce(path);
  await expect(read()).rejects.toThrow('ENOENT');
  await writeFile(path, 'here now');
  expect(String(await read())).toBe('here now');
});
