import { expect, test } from 'vitest';
import { questionOf } from './question.ts';

const USER = '0190a000-0000-7000-8000-000000000001';

test('an existing thing is asked about by its id alone: its own owner and organization count', () => {
  const search = { user: 'ada', type: 'workspace', action: 'start', id: 'x', organization: 'o', own: true };
  expect(questionOf(search, USER)).toEqual({ user: USER, action: 'start', object: { resource_type: 'workspace', resource_id: 'x' } });
});

test('half a question is none, and neither is one about an action that the thing does not know', () => {
  expect(questionOf({ user: 'ada', type: 'workspace' }, USER)).toBeNull();
  expect(questionOf({ user: 'ada', type: 'license', action: 'start' }, USER)).toBeNull();
  expect(questionOf({ user: 'ada', type: 'workspace', action: 'start' }, undefined)).toBeNull();
});

test('things that cannot be named are asked about by organization and owner', () => {
  expect(questionOf({ user: 'ada', type: 'api_key', action: 'read', id: 'x', own: true }, USER)?.object).toEqual({
    resource_type: 'api_key',
    owner_id: USER,
  });
});
