import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameProblem } from './names.ts';
import { usernameCandidates } from './username.ts';

it('tries the name itself, then ten with endings, all of them valid whatever the provider sent', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (text, seed) => {
      const candidates = usernameCandidates(text, () => seed);
      expect(candidates).toHaveLength(11);
      for (const candidate of candidates) expect(nameProblem('name', candidate)).toBeNull();
    }),
  );
  let next = 0;
  expect(usernameCandidates('ada@example.com', () => (next += 0.05)).slice(0, 2)).toEqual(
    ['ada', 'ada-01sps0'].map((name) => expect.stringMatching(new RegExp(`^${name.slice(0, 3)}`))),
  );
});

it('keeps the start of a name of full length and ends it otherwise', () => {
  const [first, second] = usernameCandidates('x'.repeat(32), () => 0.5);
  expect(first).toBe('x'.repeat(32));
  expect(second).toMatch(/^x{26}-[0-9a-z]{5}$/);
});
