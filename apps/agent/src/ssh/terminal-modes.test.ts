import { expect, test } from 'vitest';

import { sttyArguments } from './terminal-modes.ts';

test('modes of a client become what stty takes, and what it did not ask for stays', () => {
  expect(sttyArguments({ VINTR: 3, VERASE: 127, VKILL: 255, VEOF: 64, ECHO: 0, ICANON: 1 })).toEqual([
    'icanon',
    '-echo',
    'intr',
    '^C',
    'erase',
    '^?',
    'kill',
    'undef',
    'eof',
    '@',
  ]);
  expect(sttyArguments({})).toEqual([]);
});
