import type { Person, RequestForms } from './forms.ts';
import { ENTERPRISE, GROUP, USER, patch, put, query } from './forms.ts';

const user = ({ userName, email, givenName, familyName, externalId }: Person, active: boolean) => ({
  schemas: [USER, ENTERPRISE],
  userName,
  externalId,
  name: { givenName, familyName, formatted: `${givenName} ${familyName}` },
  emails: [{ value: email, type: 'work', primary: true }],
  phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work' }],
  [ENTERPRISE]: { department: 'Navigation' },
  title: 'Programmer',
  active,
});

/** OneLogin: whole users by PUT, also to deactivate; members one operation at a time. */
export const oneLogin: RequestForms = {
  find: ({ userName }) => query({ filter: `userName eq "${userName}"` }),
  create: (person) => user(person, true),
  update: (person) => put(user(person, true)),
  deactivate: (person) => put(user(person, false)),
  reactivate: () => patch({ op: 'replace', path: 'active', value: true }),
  findGroup: (displayName) => query({ filter: `displayName eq "${displayName}"` }),
  createGroup: (displayName) => ({ schemas: [GROUP], displayName }),
  addMember: (value) => patch({ op: 'add', path: 'members', value: [{ value }] }),
  removeMember: (value) => patch({ op: 'remove', path: 'members', value: [{ value }] }),
  renameGroup: (displayName) => patch({ op: 'replace', path: 'displayName', value: displayName }),
};
