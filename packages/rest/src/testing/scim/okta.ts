import type { Person, RequestForms } from './forms.ts';
import { GROUP, USER, patch, put, query } from './forms.ts';

const user = ({ userName, email, givenName, familyName, externalId }: Person, active: boolean) => ({
  schemas: [USER],
  userName,
  name: { givenName, familyName },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: `${givenName} ${familyName}`,
  locale: 'en-US',
  externalId,
  groups: [],
  password: '1mz050nq',
  active,
});

/** Okta: whole users by PUT, flags by operations without a path, members by a filter in the path. */
export const okta: RequestForms = {
  find: ({ userName }) => query({ filter: `userName eq "${userName}"`, startIndex: '1', count: '100' }),
  create: (person) => user(person, true),
  update: (person) => put({ ...user(person, true), id: 'ignored', meta: { resourceType: 'User' } }),
  deactivate: () => patch({ op: 'replace', value: { active: false } }),
  reactivate: () => patch({ op: 'replace', value: { active: true } }),
  findGroup: (displayName) => query({ filter: `displayName eq "${displayName}"`, startIndex: '1', count: '100' }),
  createGroup: (displayName) => ({ schemas: [GROUP], displayName, members: [] }),
  addMember: (value) => patch({ op: 'add', path: 'members', value: [{ value, display: 'ada@example.com' }] }),
  removeMember: (value) => patch({ op: 'remove', path: `members[value eq "${value}"]` }),
  renameGroup: (displayName, id) => patch({ op: 'replace', value: { id, displayName } }),
};
