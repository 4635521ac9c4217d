import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { diskOf } from './disk.ts';

test('the disk of a folder has at most its own size free', async () => {
  const { totalBytes, freeBytes, freeFiles } = await diskOf(tmpdir()).space();
  expect(totalBytes).toBeGreaterThan(0);
  expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  expect(freeFiles === null || freeFiles >= 0).toBe(true);
});

test('the disk of a folder that does not exist cannot be read', async () => {
  await expect(diskOf('/nonexistent/folder').space()).rejects.toMatchObject({ code: 'ENOENT' });
});
