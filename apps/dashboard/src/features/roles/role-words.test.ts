import { expect, test } from 'vitest';
import type { AssignableRole } from './role-words.ts';
import { permissionNames, roleDescription } from './role-words.ts';

const role: AssignableRole = {
  name: 'release',
  display_name: 'Release',
  organization_id: null,
  site_permissions: [{ negate: false, resource_type: 'template', action: 'read' }],
  organization_permissions: [],
  user_permissions: [{ negate: false, resource_type: 'workspace', action: 'start' }],
  assignable: true,
  built_in: false,
};

test('a custom role is described by what it grants, and by what it grants over one’s own things', () => {
  expect(roleDescription(role)).toBe('Templates: read; Workspaces: start (their own).');
  expect(roleDescription({ ...role, site_permissions: [], user_permissions: [] })).toBe('Grants nothing.');
});

test('a built-in role has its sentence', () => {
  expect(roleDescription({ ...role, name: 'owner', built_in: true })).toMatch(/^Everything/);
});

test('what a role takes away is not among what it grants', () => {
  expect(permissionNames([{ negate: true, resource_type: 'template', action: 'read' }])).toEqual([]);
});
