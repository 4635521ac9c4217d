import type { RequestForms } from './forms.ts';
import { ENTERPRISE, GROUP, USER, patch, query } from './forms.ts';

/** Microsoft Entra ID: operations with capitals, flags as texts, filters in paths, members with a null reference. */
export const entraId: RequestForms = {
  find: ({ userName }) => query({ filter: `userName eq "${userName}"` }),
  create: ({ userName, email, givenName, familyName, externalId }) => ({
    schemas: [USER, ENTERPRISE],
    externalId,
    userName,
    active: true,
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, type: 'work', value: email }],
    meta: { resourceType: 'User' },
    name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
    [ENTERPRISE]: { employeeNumber: '99887766', department: 'Navigation' },
    roles: [],
  }),
  update: ({ email, familyName }) =>
    patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 20 7946 0000' },
      { op: 'Replace', path: 'name.familyName', value: familyName },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Engines' },
      { op: 'Add', value: { 'name.familyName': familyName, [`${ENTERPRISE}:manager`]: 'nobody' } },
    ),
  deactivate: () => patch({ op: 'Replace', path: 'active', value: 'False' }),
  reactivate: () => patch({ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'True' }] }),
  findGroup: (displayName) => query({ excludedAttributes: 'members', filter: `displayName eq "${displayName}"` }),
  createGroup: (displayName) => ({
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: `entra-${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
  }),
  addMember: (value) => patch({ op: 'Add', path: 'members', value: [{ $ref: null, value }] }),
  removeMember: (value) => patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value }] }),
  renameGroup: (displayName) => patch({ op: 'Replace', path: 'displayName', value: displayName }),
};
