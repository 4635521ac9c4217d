import { expect, test } from 'vitest';
import { dailyCost, quotaAllowance, quotaAllows } from './quota.ts';

test('cost and allowance are sums', () => {
  expect(dailyCost([{ dailyCost: 2 }, { dailyCost: 0 }, { dailyCost: 5 }])).toBe(7);
  expect(quotaAllowance([{ quotaAllowance: 10 }, { quotaAllowance: 5 }])).toBe(15);
});

test('a build must fit, unless it makes its workspace cheaper', () => {
  const request = { consumed: 8, allowance: 10, cost: 2, previousCost: null };
  expect(quotaAllows(request)).toBe(true);
  expect(quotaAllows({ ...request, cost: 3 })).toBe(false);
  expect(quotaAllows({ ...request, cost: 3, previousCost: 3 })).toBe(false);
  expect(quotaAllows({ ...request, cost: 3, previousCost: 4 })).toBe(true);
});
