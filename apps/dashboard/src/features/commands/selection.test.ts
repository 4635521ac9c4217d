import { expect, it } from 'vitest';
import { nextSelected } from './selection.ts';

it('goes around at both ends by a step, and stops there by a page', () => {
  expect(nextSelected('ArrowDown', { index: 8, count: 9 })).toBe(0);
  expect(nextSelected('ArrowUp', { index: 0, count: 9 })).toBe(8);
  expect(nextSelected('PageDown', { index: 5, count: 9 })).toBe(8);
  expect(nextSelected('PageUp', { index: 2, count: 9 })).toBe(0);
});

it('leaves keys to the text that are of no use to the list', () => {
  expect(nextSelected('Home', { index: 0, count: 9 })).toBeNull();
  expect(nextSelected('ArrowDown', { index: -1, count: 0 })).toBeNull();
});
