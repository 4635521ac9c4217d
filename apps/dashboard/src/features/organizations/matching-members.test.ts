import { expect, test } from 'vitest';
import { matchingMembers } from './matching-members.ts';

const member = (username: string, name: string, roles: string[] = []) => ({
  username,
  name,
  email: `${username}@example.com`,
  roles: roles.map((role) => ({ name: role, display_name: '' })),
});
const members = [member('ada', 'Ada Byron', ['organization-admin']), member('grace', 'Grace Hopper')];

test('every word has to be somewhere in the names, the address or the roles', () => {
  const names = (text: string) => matchingMembers(members, text).map(({ username }) => username);
  expect(names('BYRON ada')).toEqual(['ada']);
  expect(names('admin')).toEqual(['ada']);
  expect(names('byron grace')).toEqual([]);
  expect(names('  ')).toEqual(['ada', 'grace']);
});
