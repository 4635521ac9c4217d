import { expect, test } from 'vitest';
import { duration, relativeTime, shortTime } from './relative-time.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const ago = (seconds: number): string => relativeTime(now - seconds * 1000, now);

test('times read as people say them, past and future', () => {
  expect([ago(3), ago(45), ago(60), ago(7199), ago(86_400), ago(40 * 86_400)]).toEqual([
    'just now',
    'less than a minute ago',
    '1 minute ago',
    '2 hours ago',
    '1 day ago',
    '1 month ago',
  ]);
  expect([ago(-45), ago(-7100), ago(-47 * 3600)]).toEqual(['in less than a minute', 'in 2 hours', 'in 2 days']);
});

test('what rounds up to a whole of the next unit is told in that one', () => {
  expect([ago(-3599), ago(-(23.6 * 3600)), ago(-(27 * 86_400))]).toEqual(['in 1 hour', 'in 1 day', 'in 4 weeks']);
});

test('an exact time names its year unless that is this year', () => {
  const thisYear = shortTime('2026-02-10T07:15:23Z', now);
  expect(thisYear.day).not.toContain('26');
  // Minutes differ between zones, seconds do not.
  expect(thisYear.time).toMatch(/\d\d.23/);
  expect(shortTime('2025-02-10T07:15:23Z', now).day).toContain('2025');
});

test('spans are exact where they are short', () => {
  expect([-5, 0, 41.6, 640, 999.6, 3100, 9940, 9960, 12_300, 64_000, 3_840_000].map(duration)).toEqual([
    '0 ms',
    '0 ms',
    '42 ms',
    '640 ms',
    '1.0 s',
    '3.1 s',
    '9.9 s',
    '10 s',
    '12 s',
    '1 min 4 s',
    '1 h 4 min',
  ]);
});
