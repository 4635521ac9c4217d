import { expect, test } from 'vitest';
import type { NewUser } from './user-form.ts';
import { NEW_USER_RULES, newUserRequest } from './user-form.ts';

const user: NewUser = {
  email: ' ada@example.com ',
  username: 'ada',
  name: ' Ada ',
  login_type: 'oidc',
  password: 'left over',
  organization_ids: [],
};

test('a password that was typed before another way to sign in was chosen is not sent', () => {
  expect(newUserRequest(user)).toMatchObject({ password: '', email: 'ada@example.com', name: 'Ada' });
  expect(newUserRequest({ ...user, login_type: 'password' }).password).toBe('left over');
});

test('only who signs in with a password needs one, and everybody needs an organization', () => {
  expect(NEW_USER_RULES.password('', user)).toBeNull();
  expect(NEW_USER_RULES.password('', { ...user, login_type: 'password' })).not.toBeNull();
  expect(NEW_USER_RULES.organization_ids([])).not.toBeNull();
});
