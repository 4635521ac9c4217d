import { expect, test } from 'vitest';
import { scaleTop, usageTime } from './insights-words.ts';

test('use reads as hours and minutes', () => {
  expect([0, 1800, 3600, 12_000, 3_600_000].map(usageTime)).toEqual(['0 min', '30 min', '1 h', '3 h 20 min', '1,000 h']);
});

test('a scale ends at or above the highest bar, and its four steps are whole', () => {
  for (let max = 0; max < 3000; max += 1) {
    const top = scaleTop(max);
    expect(top).toBeGreaterThanOrEqual(max);
    expect(Number.isInteger(top / 4)).toBe(true);
    expect(top).toBeLessThanOrEqual(Math.max(4, max * 2.5));
  }
});
