import { expect, test } from 'vitest';

import { backoff } from './backoff.ts';

test('waits double up to the maximum', () => {
  const delays = backoff({ minMs: 50, maxMs: 1000, random: () => 1 });
  expect(Array.from({ length: 7 }, () => delays.next())).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
});

test('half of each wait is chance', () => {
  expect(backoff({ minMs: 100, maxMs: 1000, random: () => 0 }).next()).toBe(50);
});

test('only a connection that lived makes the waits short again', () => {
  let now = 0;
  const delays = backoff({ minMs: 50, maxMs: 1000, stableMs: 5000, random: () => 1, now: () => now });
  delays.next();
  delays.opened();
  now += 10;
  delays.closed();
  expect(delays.next()).toBe(100);
  delays.opened();
  now += 5000;
  delays.closed();
  expect(delays.next()).toBe(50);
});
