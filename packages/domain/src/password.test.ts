import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordEntropyBits, passwordProblem } from './password.ts';

test.each(['SomeSecurePassword!', 'correct horse battery', 'x7Gq2LmP9', 'kdvyqmzjrhwt', 'пароль-на-корабле'])(
  '%s is good enough',
  (password) => {
    expect(passwordProblem(password)).toBeNull();
  },
);

test.each([
  '',
  'password',
  'short1!',
  '1234567890123',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'abcdefghijklmnop',
  'qwertyuiopasdfgh',
  'hello!hello!hello!',
  'zyxwvutsrqponm',
  '121212121212121212121212',
])('%j is too easy to guess', (password) => {
  expect(passwordProblem(password)).toContain('Too easy to guess');
});

test('a password has at most 64 characters, counted as people see them', () => {
  const long = 'x7Gq2LmP9!'.repeat(7);
  expect(passwordProblem(`${long.slice(0, 50)}aZ9?kW3-qL8_rT`)).toBeNull();
  expect(passwordProblem(`${long}aZ9?`)).toContain('64');
  expect(passwordProblem(`aZ9?kW3-qL8_${'🚢⚓'.repeat(26)}`)).toBeNull();
});

test('the estimate is never negative, and one more unrelated character never lowers it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (password) => {
      expect(passwordEntropyBits(password)).toBeGreaterThanOrEqual(0);
      expect(passwordEntropyBits(`${password}§`)).toBeGreaterThanOrEqual(passwordEntropyBits(password));
    }),
  );
});
