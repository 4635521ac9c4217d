import { expect, test } from 'vitest';
import { recipientOf, recipientsOf } from './recipients.ts';

const people = [
  { user_id: 'a', username: 'ada', name: 'Ada Byron' },
  { user_id: 'b', username: 'bob', name: '' },
];
const groups = [{ id: 'g', name: 'ops', display_name: '' }];
const known = recipientsOf({ people, groups, ownerId: 'a' });

test('everybody but the owner can be chosen, and groups', () => {
  expect(known.people.map(({ label }) => label)).toEqual(['bob']);
  expect(known.groups.map(({ label }) => label)).toEqual(['ops (group)']);
});

test('who is not shown is found by the exact username', () => {
  const all = [...known.groups, ...known.people];
  expect(recipientOf('ops (group)', all)).toEqual({ group_id: 'g' });
  expect(recipientOf('bob', all)).toEqual({ user: 'b' });
  expect(recipientOf(' zoe ', all)).toEqual({ user: 'zoe' });
  expect(recipientOf('Zoe Somebody', all)).toBeUndefined();
  expect(recipientOf('', all)).toBeUndefined();
});
