import { expect, test } from 'vitest';

import { expand, expandPath } from './workspace.ts';

test('variables are replaced in both spellings, and an unknown one becomes nothing', () => {
  expect(expand('$A/${B}c$UNKNOWN-$', { A: '1', B: '2' })).toBe('1/2c-$');
});

test('a variable is data: nothing in its value is replaced again', () => {
  expect(expand('$A', { A: '$B $(id)', B: 'no' })).toBe('$B $(id)');
});

test.each([
  ['~', '/home/ada'],
  ['~/project', '/home/ada/project'],
  ['$PLACE/x', '/srv/x'],
  ['project', '/home/ada/project'],
  ['/opt/../srv', '/srv'],
  ['  ', ''],
])('the path %j is %j', (path, absolute) => {
  expect(expandPath(path, { PLACE: '/srv' }, '/home/ada')).toBe(absolute);
});
