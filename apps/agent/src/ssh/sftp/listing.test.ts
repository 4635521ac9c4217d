import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { longName } from './listing.ts';

const real = await lstat(import.meta.dirname);

function statsOf(changes: Partial<Stats>): Stats {
  return Object.assign(Object.create(real), real, changes);
}

test('a line of a listing looks as of ls -l: kind, permissions with their special bits, and an old year or a recent hour', () => {
  const now = new Date(2026, 5, 1).getTime();
  const line = (changes: Partial<Stats>) => longName('name', statsOf({ nlink: 1, uid: 4_000_000, gid: 50, size: 7, ...changes }), now);
  expect(line({ mode: 0o100644, mtime: new Date(2026, 4, 3, 9, 5) })).toBe('-rw-r--r--    1 4000000  50              7 May  3 09:05 name');
  expect(line({ mode: 0o041777, mtime: new Date(2020, 0, 12) })).toBe('drwxrwxrwt    1 4000000  50              7 Jan 12  2020 name');
  expect(line({ mode: 0o104755, mtime: new Date(2020, 0, 12) })).toMatch(/^-rwsr-xr-x /);
  expect(line({ mode: 0o102640, mtime: new Date(2020, 0, 12) })).toMatch(/^-rw-r-S--- /);
  expect(line({ mode: 0o120777, mtime: new Date(2020, 0, 12) })).toMatch(/^lrwxrwxrwx /);
});
