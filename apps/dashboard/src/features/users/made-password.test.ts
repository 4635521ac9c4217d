import { passwordProblem } from '@berth/domain';
import { expect, test } from 'vitest';
import { madePassword, secretRandom } from './made-password.ts';

test('a made password keeps the rule for passwords', () => {
  expect(Array.from({ length: 200 }, () => passwordProblem(madePassword(secretRandom))).every((problem) => problem === null)).toBe(true);
});

test('two made passwords differ', () => {
  expect(madePassword(secretRandom)).not.toBe(madePassword(secretRandom));
});
