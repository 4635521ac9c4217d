import { expect, test } from 'vitest';
import { isEveryone, memberCount } from './group-words.ts';

test('members that the caller may not see are counted and said so', () => {
  expect(memberCount({ members: [], total_member_count: 3 })).toBe('3 members, 3 of them hidden from you');
  expect(memberCount({ members: [], total_member_count: 0 })).toBe('0 members');
});

test('Everyone is known by the id of its organization, whatever it is called', () => {
  expect(isEveryone({ id: 'a', organization_id: 'a' })).toBe(true);
  expect(isEveryone({ id: 'b', organization_id: 'a' })).toBe(false);
});
