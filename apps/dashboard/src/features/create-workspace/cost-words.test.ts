import { expect, test } from 'vitest';
import { costVerdict } from './cost-words.ts';

test('before a workspace is made, its cost stands beside what is left', () => {
  expect(costVerdict(3, { credits_consumed: 10, budget: 20 })).toEqual({
    fits: true,
    sentence: 'It costs 3 credits a day. With it, 13 of your 20 are in use.',
  });
  expect(costVerdict(10, { credits_consumed: 10, budget: 20 }).fits).toBe(true);
});

test('what would be refused is said before, with how much is missing', () => {
  expect(costVerdict(12, { credits_consumed: 10, budget: 20 })).toEqual({
    fits: false,
    sentence: 'It costs 12 credits a day. You have 10 left of 20: 2 too few.',
  });
  expect(costVerdict(1, { credits_consumed: 30, budget: 20 }).sentence).toBe('It costs 1 credit a day. You have 0 left of 20: 11 too few.');
});

test('what costs nothing is made even by whoever is over', () => {
  expect(costVerdict(0, { credits_consumed: 30, budget: 20 })).toEqual({ fits: true, sentence: 'It costs nothing of your quota.' });
});
