import { expect, test } from 'vitest';
import { roleChangeProblem, tableAllowsRole } from './assignment.ts';
import { ASSIGNABLE_ORGANIZATION_ROLES, ASSIGNABLE_SITE_ROLES, roleDisplayName } from './roles.ts';
import type { Subject } from './subject.ts';

const SITE = ['owner', 'template-admin', 'user-admin', 'auditor', 'member'];
const ORGANIZATION = [
  'organization-admin',
  'organization-member',
  'organization-auditor',
  'organization-user-admin',
  'organization-template-admin',
];

function holding(role: string, where: 'site' | 'org'): Subject {
  return {
    id: 'actor',
    roles: where === 'site' ? [role] : [],
    organizations: new Map(where === 'org' ? [['org', [role]]] : []),
    groups: [],
    scope: 'all',
  };
}

test.each([
  ['owner', 'site', [...SITE, 'custom'], [...ORGANIZATION, 'custom']],
  ['template-admin', 'site', [], []],
  ['user-admin', 'site', ['member'], ['organization-member']],
  ['auditor', 'site', [], []],
  ['organization-admin', 'org', [], [...ORGANIZATION, 'custom']],
  ['organization-auditor', 'org', [], []],
  ['organization-user-admin', 'org', [], ['organization-member']],
  ['organization-template-admin', 'org', [], []],
] as const)('%s may give exactly the roles of the table', (role, where, site, organization) => {
  const actor = holding(role, where);
  expect([...SITE, 'custom'].filter((name) => tableAllowsRole(actor, { role: name, organizationId: null }))).toEqual(site);
  expect([...ORGANIZATION, 'custom'].filter((name) => tableAllowsRole(actor, { role: name, organizationId: 'org' }))).toEqual(organization);
});

test('an organization role gives no say in another organization', () => {
  expect(tableAllowsRole(holding('organization-admin', 'org'), { role: 'organization-auditor', organizationId: 'other' })).toBe(false);
});

test('a refused change of roles says why', () => {
  const change = { targetUserId: 'you', change: 'assign', role: 'auditor', organizationId: null } as const;
  expect(roleChangeProblem(holding('owner', 'site'), change)).toBeNull();
  expect(roleChangeProblem(holding('owner', 'site'), { ...change, targetUserId: 'actor' })).toBe('own_roles');
  expect(roleChangeProblem(holding('owner', 'site'), { ...change, role: 'root' })).toBe('unknown_role');
  expect(roleChangeProblem(holding('owner', 'site'), { ...change, organizationId: 'org' })).toBe('wrong_level');
  expect(roleChangeProblem(holding('owner', 'site'), { ...change, role: 'organization-admin' })).toBe('wrong_level');
  expect(roleChangeProblem(holding('user-admin', 'site'), change)).toBe('not_assignable');
  expect(roleChangeProblem(holding('auditor', 'site'), change)).toBe('not_permitted');
  const custom = { ...change, role: 'builder', organizationId: 'org', customRoleNames: ['builder'] };
  expect(roleChangeProblem(holding('organization-admin', 'org'), custom)).toBeNull();
  expect(roleChangeProblem(holding('organization-user-admin', 'org'), custom)).toBe('not_assignable');
  expect(roleChangeProblem(holding('organization-admin', 'org'), { ...custom, customRoleNames: [] })).toBe('unknown_role');
  const customSite = { ...custom, organizationId: null };
  expect(roleChangeProblem(holding('owner', 'site'), customSite)).toBeNull();
  expect(roleChangeProblem(holding('user-admin', 'site'), customSite)).toBe('not_assignable');
  expect(roleChangeProblem(holding('organization-admin', 'org'), customSite)).toBe('not_permitted');
  expect(roleChangeProblem(holding('owner', 'site'), { ...customSite, customRoleNames: [] })).toBe('unknown_role');
});

test('implied roles are not offered, and roles have names for people', () => {
  expect(ASSIGNABLE_SITE_ROLES).toEqual(['owner', 'template-admin', 'user-admin', 'auditor']);
  expect(ASSIGNABLE_ORGANIZATION_ROLES).not.toContain('organization-member');
  expect(roleDisplayName('organization-template-admin')).toBe('Organization Template Admin');
  expect(roleDisplayName('builder', 'The builder')).toBe('The builder');
});
