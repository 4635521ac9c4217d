import { expect, test } from 'vitest';

import { backoff } from './backoff.ts';

test('waits grow up to the maximum', () => {
  const delays = backoff({ minMs: 100, maxMs: 200, random: () => 1 });
  expect(Array.from({ length: 5 }, () => delays.next())).toEqual([100, 130, 169, 200, 200]);
});

test('a client is back within half of the time for which its peer was away', () => {
  const delays = backoff({ minMs: 50, maxMs: 10_000, random: () => 1 });
  for (let away = 0; away < 30_000;) {
    const wait = delays.next();
    if (away > 1000) expect(wait).toBeLessThan(away / 2);
    away += wait;
  }
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
  expect(delays.next()).toBe(65);
  delays.opened();
  now += 5000;
  delays.closed();
  expect(delays.next()).toBe(50);
});
