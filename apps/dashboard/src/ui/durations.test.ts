import { expect, test } from 'vitest';
import { spanText, unitOf } from './durations.ts';

test('a span is told in the largest unit that has no fraction', () => {
  expect(unitOf(86_400_000)).toBe('days');
  expect(unitOf(90 * 60_000)).toBe('minutes');
  expect(unitOf(0)).toBe('hours');
  expect(spanText(3_600_000)).toBe('1 hour');
  expect(spanText(8 * 3_600_000)).toBe('8 hours');
  expect(spanText(0)).toBe('never');
});
