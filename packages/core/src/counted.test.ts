import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('a count is followed by the noun in its number', () => {
  expect([0, 1, 2, 1234].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files', '1,234 files']);
  expect([1, 2n].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
