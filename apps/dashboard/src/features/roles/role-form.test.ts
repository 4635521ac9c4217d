import { expect, test } from 'vitest';
import { permissionLinesOf, roleValues } from './role-form.ts';

test('a role read into the form and written back is the same', () => {
  const lines = permissionLinesOf(['template:read', 'workspace:start', 'no:such']);
  expect(lines).toEqual([
    { negate: false, resource_type: 'template', action: 'read' },
    { negate: false, resource_type: 'workspace', action: 'start' },
  ]);
  const values = roleValues({
    name: 'r',
    display_name: 'R',
    organization_id: null,
    site_permissions: lines,
    organization_permissions: [],
    user_permissions: [],
    assignable: true,
    built_in: false,
  });
  expect(permissionLinesOf(values.everywhere)).toEqual(lines);
  expect(values.own).toEqual([]);
});
