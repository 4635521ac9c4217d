import { SIGN_ON_ERRORS } from '@berth/api/contract/sign-on';
import { expect, test } from 'vitest';
import { signOnProblem } from './sign-on-errors.ts';

test.each(SIGN_ON_ERRORS)('%s has a heading and a next step', (code) => {
  const { title, advice } = signOnProblem(code);
  expect(title).not.toMatch(/[_.]/);
  expect(advice).toMatch(/\.$/);
  expect(advice).not.toContain('_');
});

test.each(['Call 555-0100 to unlock your account', 'constructor', '__proto__', ''])(
  'what an address makes up is never shown: %j',
  (code) => {
    const { title, advice } = signOnProblem(code);
    expect(title).toBe('Signing in did not work');
    if (code !== '') expect(`${title} ${advice}`).not.toContain(code);
  },
);
