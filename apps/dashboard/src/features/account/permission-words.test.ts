import { PERMISSIONS } from '@berth/rbac/resources';
import { expect, test } from 'vitest';
import { PERMISSION_GROUPS, choosePermissions, findPermissions, permissionLines } from './permission-words.ts';

test('every permission can be picked, once', () => {
  const offered = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions.map(({ value }) => value));
  expect(offered.toSorted()).toEqual([...PERMISSIONS].toSorted());
});

test('what people meet most comes first', () => {
  expect(PERMISSION_GROUPS[0]?.label).toBe('Workspaces');
});

test('no group and no action is called by its technical name', () => {
  for (const { label, permissions } of PERMISSION_GROUPS) {
    for (const text of [label, ...permissions.map((permission) => permission.label)]) expect(text).not.toContain('_');
  }
});

test('permissions read as one line for each kind of thing', () => {
  expect(permissionLines(['template:read', 'workspace:stop', 'workspace:read', 'file:read', 'file:create'])).toEqual([
    'Workspaces: read, stop',
    'Templates: read',
    'Uploaded files: everything',
  ]);
});

test('a permission that this dashboard does not know is shown rather than hidden', () => {
  expect(permissionLines(['harbour:dredge'])).toEqual(['harbour:dredge']);
});

test.each([
  ['dormant', ['Dormant workspaces']],
  ['insights', ['Templates']],
  ['oauth2_app_secret:read', ['OAuth2 secrets']],
  ['template:re', ['Templates']],
  ['nothing like it', []],
])('a search for %j finds %j', (text, labels) => {
  expect(findPermissions(text).map(({ label }) => label)).toEqual(labels);
});

test('choosing and dropping permissions leaves the others, and none twice', () => {
  expect(choosePermissions(['file:read', 'user:read'], ['user:read', 'user:update'], true)).toEqual([
    'file:read',
    'user:read',
    'user:update',
  ]);
  expect(choosePermissions(['file:read', 'user:read'], ['user:read', 'user:update'], false)).toEqual(['file:read']);
});
