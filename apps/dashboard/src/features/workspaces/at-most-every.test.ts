import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMostEvery } from './at-most-every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is asked for in bursts is done at once and at the end of each pause, and nothing is lost', () => {
  const work = vi.fn<() => void>();
  const ask = atMostEvery(100, work);
  ask();
  expect(work).toHaveBeenCalledTimes(1);
  for (let times = 0; times < 20; times += 1) ask();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(2);
  ask();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(3);
});
