import type { Person, RequestForms } from './forms.ts';
import { GROUP, USER, patch, put, query } from './forms.ts';

const user = ({ userName, email, givenName, familyName, externalId }: Person, active: boolean) => ({
  schemas: [USER],
  externalId,
  userName,
  displayName: `${givenName} ${familyName}`,
  name: { familyName, givenName },
  emails: [{ type: 'work', primary: true, value: email }],
  addresses: [],
  phoneNumbers: [],
  active,
});

/** JumpCloud: whole users by PUT, deactivation included; members replaced as a list. */
export const jumpCloud: RequestForms = {
  find: ({ email }) => query({ filter: `emails.value eq "${email}"`, startIndex: '1', count: '100' }),
  create: (person) => user(person, true),
  update: (person) => put(user(person, true)),
  deactivate: (person) => put(user(person, false)),
  reactivate: (person) => put(user(person, true)),
  findGroup: (displayName) => query({ filter: `displayName eq "${displayName}"`, startIndex: '1', count: '100' }),
  createGroup: (displayName) => ({ schemas: [GROUP], displayName, members: [] }),
  addMember: (value) => patch({ op: 'replace', path: 'members', value: [{ value }] }),
  removeMember: () => patch({ op: 'replace', path: 'members', value: [] }),
  renameGroup: (displayName) => patch({ op: 'replace', value: { displayName } }),
};
