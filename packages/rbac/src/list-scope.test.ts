import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permissions, rows, subjects } from './arbitraries.ts';
import { canUnchecked } from './authorize.ts';
import { isEmptyScope, listScope, scopeAllows } from './list-scope.ts';
import { permissionParts } from './resources.ts';
import { ORGANIZATION_ROLE_NAMES, SITE_ROLE_NAMES } from './roles.ts';
import type { Subject } from './subject.ts';

describe('list scope', () => {
  test('lets through exactly the rows that `can` allows', () => {
    fc.assert(
      fc.property(subjects, permissions, fc.array(rows, { minLength: 1, maxLength: 6 }), (subject, permission, table) => {
        const scope = listScope(subject, permission);
        const { type, action } = permissionParts(permission);
        for (const row of table) {
          expect(scopeAllows(scope, row)).toBe(canUnchecked(subject, action, { ...row, type }));
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('is called empty only if no row passes', () => {
    fc.assert(
      fc.property(subjects, permissions, rows, (subject, permission, row) => {
        const scope = listScope(subject, permission);
        if (isEmptyScope(scope, { hasAcl: true })) expect(scopeAllows(scope, row)).toBe(false);
        if (isEmptyScope(scope, { hasAcl: false })) expect(scopeAllows(scope, { ...row, userAcl: {}, groupAcl: {} })).toBe(false);
      }),
    );
  });

  test('of a plain member names the own rows in the own organizations', () => {
    const member: Subject = { id: 'me', roles: [], organizations: new Map([['o1', []]]), groups: ['g1'], scope: 'all' };
    expect(listScope(member, 'workspace:read')).toEqual({
      everything: false,
      organizationIds: [],
      ownerIn: { ownerId: 'me', organizationIds: ['o1'] },
      acl: { userId: 'me', actions: ['read', '*'], organizationIds: ['o1'], groupIds: ['g1'] },
      onlyIds: null,
    });
    expect(listScope({ ...member, roles: ['owner'] }, 'workspace:read').everything).toBe(true);
    expect(listScope({ ...member, organizations: new Map([['o1', ['organization-auditor']]]) }, 'audit_log:read').organizationIds).toEqual([
      'o1',
    ]);
  });
});

test('another built-in role never takes a right away', () => {
  const builtIn = subjects.map((subject) => ({ ...subject, ownersMayNotEnterWorkspaces: false, customRoles: new Map() }));
  fc.assert(
    fc.property(
      builtIn,
      permissions,
      rows,
      fc.constantFrom(...SITE_ROLE_NAMES),
      fc.constantFrom(...ORGANIZATION_ROLE_NAMES),
      (subject, permission, row, siteRole, organizationRole) => {
        const { type, action } = permissionParts(permission);
        if (!canUnchecked(subject, action, { ...row, type })) return;
        const [organizationId = 'o1', held = []] = [...subject.organizations][0] ?? [];
        const more: Subject = {
          ...subject,
          roles: [...subject.roles, siteRole],
          organizations: new Map([...subject.organizations, [organizationId, [...held, organizationRole]]]),
        };
        expect(canUnchecked(more, action, { ...row, type })).toBe(true);
      },
    ),
  );
});
