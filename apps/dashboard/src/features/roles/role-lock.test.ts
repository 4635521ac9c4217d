import { expect, test } from 'vitest';
import { roleLock, rolesDiffer } from './role-lock.ts';
import type { AssignableRole } from './role-words.ts';

const role = (assignable: boolean): AssignableRole => ({
  name: 'r',
  display_name: '',
  organization_id: null,
  site_permissions: [],
  organization_permissions: [],
  user_permissions: [],
  assignable,
  built_in: true,
});

test('own roles, roles without the right, and roles of which none may be given are locked, each with its reason', () => {
  const fine = { isMe: false, mayAssign: true, roles: [role(false), role(true)] };
  expect(roleLock(fine)).toBeUndefined();
  const reasons = [
    { ...fine, isMe: true },
    { ...fine, mayAssign: false },
    { ...fine, roles: [role(false)] },
  ].map(roleLock);
  expect(new Set(reasons).size).toBe(3);
  expect(reasons).not.toContain(undefined);
});

test('until it is known whether somebody may give roles, nothing is said against it', () => {
  expect(roleLock({ isMe: false, mayAssign: undefined, roles: [role(true)] })).toBeUndefined();
});

test('the order of roles does not matter', () => {
  expect(rolesDiffer(['a', 'b'], ['b', 'a'])).toBe(false);
  expect(rolesDiffer(['a'], ['b'])).toBe(true);
});
