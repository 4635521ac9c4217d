import { expect, test } from 'vitest';
import { buildDeadline, effectiveTtlMs, initialTtlMs, ttlProblem } from './schedule.ts';

const HOUR = 3_600_000;
const now = new Date('2026-01-01T12:00:00Z');

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

test('the deadline is the time to live after completion, by the template where users may not choose', () => {
  const facts = { ttlMs: HOUR, templateDefaultTtlMs: 2 * HOUR, allowUserAutostop: true };
  expect(buildDeadline({ now, ...facts })).toEqual(new Date('2026-01-01T13:00:00Z'));
  expect(buildDeadline({ now, ...facts, allowUserAutostop: false })).toEqual(new Date('2026-01-01T14:00:00Z'));
  expect(buildDeadline({ now, ...facts, ttlMs: null })).toBeNull();
  expect(effectiveTtlMs({ ...facts, ttlMs: 0 })).toBeNull();
});
