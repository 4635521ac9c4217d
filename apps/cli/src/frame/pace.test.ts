import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

it('looks less and less often while nothing happens, and often again once something does', () => {
  const pace = new Pace({ minMs: 500, maxMs: 3000 });
  const quiet = Array.from({ length: 20 }, () => pace.next(false));
  expect(quiet).toEqual(quiet.toSorted((a, b) => a - b));
  expect(quiet.at(-1)).toBe(3000);
  expect(pace.next(true)).toBe(500);
});
