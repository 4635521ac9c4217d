import { expect, test } from 'vitest';
import { dailyCost, quotaAllowance, quotaAllows, quotaProblem } from './quota.ts';

test('cost and allowance are sums', () => {
  expect(dailyCost([{ dailyCost: 2 }, { dailyCost: 0 }, { dailyCost: 5 }])).toBe(7);
  expect(quotaAllowance([{ quotaAllowance: 10 }, { quotaAllowance: 5 }])).toBe(15);
});

test('a build must fit, unless it makes its workspace cheaper, costs nothing, or is no start', () => {
  const request = { transition: 'start', consumed: 8, allowance: 10, cost: 2, previousCost: null } as const;
  expect(quotaAllows(request)).toBe(true);
  expect(quotaAllows({ ...request, cost: 3 })).toBe(false);
  expect(quotaAllows({ ...request, cost: 3, previousCost: 3 })).toBe(false);
  expect(quotaAllows({ ...request, cost: 3, previousCost: 4 })).toBe(true);
  expect(quotaAllows({ ...request, cost: 0, consumed: 12 })).toBe(true);
  expect(quotaAllows({ ...request, cost: 3, transition: 'stop' })).toBe(true);
  expect(quotaAllows({ ...request, cost: 3, transition: 'delete' })).toBe(true);
});

test('a refusal names what the build costs, what is used and what is allowed', () => {
  expect(quotaProblem({ cost: 3, consumed: 8, allowance: 10 })).toBe(
    'insufficient quota: the build costs 3 a day, and the other workspaces of the owner use 8 of 10.',
  );
});
