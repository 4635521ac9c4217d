import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canUnchecked } from './authorize.ts';
import { isEmptyScope, listScope, scopeAllows } from './list-scope.ts';
import { PERMISSIONS, permissionParts, RESOURCE_TYPES } from './resources.ts';
import type { Role } from './roles.ts';
import { ORGANIZATION_ROLE_NAMES, SITE_ROLE_NAMES } from './roles.ts';
import { SCOPE_NAMES } from './scopes.ts';
import type { Subject } from './subject.ts';

// Small pools, so that subjects and rows meet often.
const USERS = ['u1', 'u2'];
const ORGS = ['o1', 'o2', 'o3'];
const GROUPS = ['g1', 'g2'];
const ROWS = ['r1', 'r2'];

const rules = fc.array(
  fc.record({
    negate: fc.boolean(),
    resourceType: fc.constantFrom('*' as const, ...RESOURCE_TYPES),
    action: fc.constantFrom('*', 'read', 'update', 'create', 'ssh'),
  }),
  { maxLength: 3 },
);
const customRole: fc.Arbitrary<Role> = fc.record({
  name: fc.constantFrom('custom-a', 'custom-b'),
  displayName: fc.constant(''),
  site: rules,
  organization: rules,
  user: rules,
});
const mapOf = <T>(keys: string[], values: fc.Arbitrary<T>): fc.Arbitrary<Map<string, T>> =>
  fc.array(fc.tuple(fc.constantFrom(...keys), values), { maxLength: 3 }).map((entries) => new Map(entries));

const subjects: fc.Arbitrary<Subject> = fc.record({
  id: fc.constantFrom(...USERS),
  roles: fc.array(fc.constantFrom(...SITE_ROLE_NAMES), { maxLength: 2 }),
  organizations: mapOf(ORGS, fc.array(fc.constantFrom<string>(...ORGANIZATION_ROLE_NAMES, 'custom-a', 'custom-b'), { maxLength: 2 })),
  groups: fc.subarray(GROUPS),
  customRoles: mapOf(ORGS, fc.array(customRole, { maxLength: 2 })),
  ownersMayNotEnterWorkspaces: fc.boolean(),
  scope: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...SCOPE_NAMES) },
    fc.record({ name: fc.constant('custom'), permissions: rules, onlyIds: fc.option(fc.subarray(ROWS)) }),
  ),
});
const acl = (principals: string[]) =>
  mapOf(principals, fc.subarray(['read', 'update', '*', 'ssh'])).map((entries) => Object.fromEntries(entries));
const rows = fc.record({
  id: fc.constantFrom(...ROWS),
  owner: fc.option(fc.constantFrom(...USERS, '')),
  organizationId: fc.option(fc.constantFrom(...ORGS)),
  userAcl: acl(USERS),
  groupAcl: acl([...GROUPS, ...ORGS]),
});
const permissions = fc.constantFrom(...PERMISSIONS);

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
