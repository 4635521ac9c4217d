import { expect, test } from 'vitest';
import { allowedLifetimes, lifetimeNanoseconds } from './token-lifetime.ts';

test('no lifetime is offered that the server would refuse', () => {
  expect(allowedLifetimes(lifetimeNanoseconds('90')).map(({ value }) => value)).toEqual(['7', '30', '90']);
});

test('as long as the limit is not known, the server judges', () => {
  expect(allowedLifetimes(undefined)).toHaveLength(5);
});
