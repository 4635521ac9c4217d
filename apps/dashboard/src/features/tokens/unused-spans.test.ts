import { expect, it } from 'vitest';
import { isExpired, unusedSpan } from './unused-spans.ts';

it('takes the spans that can be chosen, and no other', () => {
  expect(unusedSpan('90')).toBe(90);
  expect(unusedSpan(365)).toBe(365);
  for (const value of ['7', '-30', 'x', undefined, ['30', '90']]) expect(unusedSpan(value)).toBeUndefined();
});

it('a token has ended at the very instant of its end', () => {
  const token = { expires_at: '2026-03-01T00:00:00.000Z' };
  expect(isExpired(token, Date.parse('2026-02-28T23:59:59.999Z'))).toBe(false);
  expect(isExpired(token, Date.parse('2026-03-01T00:00:00.000Z'))).toBe(true);
});
