import { expect, test } from 'vitest';
import { effectiveTtlMs, initialTtlMs, ttlProblem } from './ttl.ts';

const HOUR = 3_600_000;

test('a workspace lives between one minute and thirty days, or without limit', () => {
  expect([null, 0, 60_000, 720 * HOUR].map(ttlProblem)).toEqual([null, null, null, null]);
  expect(ttlProblem(59_999)).toContain('one minute');
  expect(ttlProblem(720 * HOUR + 1)).toContain('30 days');
  expect(ttlProblem(-1)).not.toBeNull();
  expect(ttlProblem(60_000.5)).toContain('whole number');
});

test('a new workspace takes the whole minutes asked for, else the default of its template', () => {
  expect(initialTtlMs(HOUR + 1234, 5 * HOUR)).toBe(HOUR);
  expect(initialTtlMs(null, 5 * HOUR)).toBe(5 * HOUR);
  expect(initialTtlMs(0, 0)).toBeNull();
});

test('the time to live that counts is the template’s where users may not choose', () => {
  const facts = { ttlMs: HOUR, templateDefaultTtlMs: 2 * HOUR, allowUserAutostop: true };
  expect(effectiveTtlMs(facts)).toBe(HOUR);
  expect(effectiveTtlMs({ ...facts, allowUserAutostop: false })).toBe(2 * HOUR);
  expect(effectiveTtlMs({ ...facts, ttlMs: 0 })).toBeNull();
});
