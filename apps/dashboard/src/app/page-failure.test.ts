import { expect, it } from 'vitest';
import { failureOf } from './page-failure.ts';

it('tells a part that is gone from a call that failed and from a fault of ours', () => {
  expect(failureOf(new TypeError('Failed to fetch dynamically imported module: /assets/AuditPage-1.js'))).toBe('part');
  expect(failureOf(new TypeError('Importing a module script failed.'))).toBe('part');
  expect(failureOf(Object.assign(new Error('No.'), { data: { kind: 'forbidden' } }))).toBe('call');
  expect(failureOf(Object.assign(new Error('fetch failed'), { name: 'TRPCClientError' }))).toBe('call');
  expect(failureOf(new TypeError('x is undefined'))).toBe('fault');
  expect(failureOf('thrown')).toBe('fault');
});
