import { expect, test } from 'vitest';
import { formatUserCode, isWholeUserCode } from './user-code.ts';

test.each([
  ['', ''],
  ['bdf', 'BDF'],
  ['bdfg', 'BDFG'],
  ['bdfgh', 'BDFG-H'],
  ['BDFG-', 'BDFG'],
  [' bdfg hjkl ', 'BDFG-HJKL'],
  ['BDFG-HJKLMN', 'BDFG-HJKL'],
  ['1b2d<f>g', 'BDFG'],
])('%j reads %j', (typed, shown) => {
  expect(formatUserCode(typed)).toBe(shown);
});

test('a code is whole with its eighth letter, however it was typed', () => {
  expect(isWholeUserCode('bdfghjk')).toBe(false);
  expect(isWholeUserCode('bdfg hjkl')).toBe(true);
});

test('one that is formatted stays as it is', () => {
  expect(formatUserCode(formatUserCode('bdfghjkl'))).toBe('BDFG-HJKL');
});
