import { expect, it } from 'vitest';
import { latencyOf, percentile } from './statistics.ts';

it('answers a value that was measured, and that the share of the others does not exceed', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(latencyOf(values)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(percentile([3], 0.95)).toBe(3);
  expect(percentile([], 0.5)).toBeNaN();
});
