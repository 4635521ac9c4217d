import fc from 'fast-check';
import { PERMISSIONS, RESOURCE_TYPES } from './resources.ts';
import type { Role } from './roles.ts';
import { ORGANIZATION_ROLE_NAMES, SITE_ROLE_NAMES } from './roles.ts';
import { SCOPE_NAMES } from './scopes.ts';
import type { Subject } from './subject.ts';

/** Random subjects, roles and rows for property tests. */

// Small pools, so that subjects and rows meet often.
const USERS = ['u1', 'u2'];
export const ORGS = ['o1', 'o2', 'o3'];
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
export const customRoles: fc.Arbitrary<Role> = fc.record({
  name: fc.constantFrom('custom-a', 'custom-b'),
  displayName: fc.constant(''),
  site: rules,
  organization: rules,
  user: rules,
});
const mapOf = <T>(keys: string[], values: fc.Arbitrary<T>): fc.Arbitrary<Map<string, T>> =>
  fc.array(fc.tuple(fc.constantFrom(...keys), values), { maxLength: 3 }).map((entries) => new Map(entries));

export const subjects: fc.Arbitrary<Subject> = fc.record({
  id: fc.constantFrom(...USERS),
  roles: fc.array(fc.constantFrom(...SITE_ROLE_NAMES), { maxLength: 2 }),
  organizations: mapOf(ORGS, fc.array(fc.constantFrom<string>(...ORGANIZATION_ROLE_NAMES, 'custom-a', 'custom-b'), { maxLength: 2 })),
  groups: fc.subarray(GROUPS),
  customRoles: mapOf(ORGS, fc.array(customRoles, { maxLength: 2 })),
  ownersMayNotEnterWorkspaces: fc.boolean(),
  scope: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...SCOPE_NAMES) },
    fc.record({ name: fc.constant('custom'), permissions: rules, onlyIds: fc.option(fc.subarray(ROWS)) }),
  ),
});
const acl = (principals: string[]) =>
  mapOf(principals, fc.subarray(['read', 'update', '*', 'ssh'])).map((entries) => Object.fromEntries(entries));
export const rows = fc.record({
  id: fc.constantFrom(...ROWS),
  owner: fc.option(fc.constantFrom(...USERS, '')),
  organizationId: fc.option(fc.constantFrom(...ORGS)),
  userAcl: acl(USERS),
  groupAcl: acl([...GROUPS, ...ORGS]),
});
export const permissions = fc.constantFrom(...PERMISSIONS);
