import { describe, expect, expectTypeOf, test } from 'vitest';
import { can, canDo, canUnchecked } from './authorize.ts';
import { groupObject, organizationMemberObject, templateObject, userObject, workspaceObject } from './objects.ts';
import { coversRightsOf } from './rank.ts';
import type { ActionOf, Permission } from './resources.ts';
import { isPermission, permissionParts } from './resources.ts';
import type { PermissionRule, Role } from './roles.ts';
import type { Subject } from './subject.ts';

function subject(overrides: Partial<Subject> = {}): Subject {
  return { id: 'me', roles: [], organizations: new Map([['org', []]]), groups: [], scope: 'all', ...overrides };
}

const rule = (text: Permission, negate = false): PermissionRule => {
  const { type, action } = permissionParts(text);
  return { negate, resourceType: type, action };
};
const role = (name: string, levels: Partial<Role>): Role => ({
  name,
  displayName: name,
  site: [],
  organization: [],
  user: [],
  ...levels,
});
const withCustom = (...roles: Role[]) =>
  subject({ organizations: new Map([['org', roles.map(({ name }) => name)]]), customRoles: new Map([['org', roles]]) });

const mine = workspaceObject({ id: 'w', ownerId: 'me', organizationId: 'org' });
const theirs = workspaceObject({ id: 'w', ownerId: 'you', organizationId: 'org' });
const dormant = workspaceObject({ id: 'w', ownerId: 'me', organizationId: 'org', dormantAt: '2026-01-01T00:00:00Z' });

describe('ownership', () => {
  test('an owner who is a member may do everything to an awake workspace', () => {
    for (const action of ['create', 'read', 'update', 'delete', 'start', 'stop', 'ssh', 'application_connect'] as const) {
      expect(can(subject(), action, mine), action).toBe(true);
      expect(can(subject(), action, theirs), action).toBe(false);
    }
  });

  test('a dormant workspace can be read, woken, stopped and deleted, but not started or entered', () => {
    const allowed = (['create', 'read', 'update', 'delete', 'start', 'stop', 'ssh', 'application_connect'] as const).filter((action) =>
      can(subject(), action, dormant),
    );
    expect(allowed).toEqual(['create', 'read', 'update', 'delete', 'stop']);
  });

  test('who left the organization has lost the workspaces in it', () => {
    expect(can(subject({ organizations: new Map() }), 'read', mine)).toBe(false);
    expect(can(subject({ organizations: new Map([['other', ['organization-admin']]]) }), 'read', mine)).toBe(false);
  });

  test('an empty owner is nobody, also for a subject with an empty id', () => {
    expect(can(subject({ id: '' }), 'read', { type: 'file', owner: '' })).toBe(false);
  });

  test('everybody reads themself and their own membership, nobody else', () => {
    expect(can(subject(), 'read', userObject('me'))).toBe(true);
    expect(can(subject(), 'update', userObject('me'))).toBe(false);
    expect(can(subject(), 'read', userObject('you'))).toBe(false);
    expect(can(subject(), 'read', organizationMemberObject({ userId: 'me', organizationId: 'org' }))).toBe(true);
    expect(can(subject(), 'read', organizationMemberObject({ userId: 'you', organizationId: 'org' }))).toBe(false);
  });
});

describe('levels', () => {
  test('an organization role counts in its own organization only', () => {
    const admin = subject({
      organizations: new Map([
        ['org', ['organization-admin']],
        ['other', []],
      ]),
    });
    expect(can(admin, 'update', theirs)).toBe(true);
    expect(can(admin, 'ssh', theirs)).toBe(false);
    expect(can(admin, 'update', { ...theirs, organizationId: 'other' })).toBe(false);
    expect(can(admin, 'update', { ...theirs, organizationId: null })).toBe(false);
  });

  test('what a role grants site-wide holds wherever the role is held', () => {
    expect(can(subject({ organizations: new Map([['org', ['organization-user-admin']]]) }), 'read', userObject('you'))).toBe(true);
  });

  test('a negated permission wins its level and stops the narrower ones', () => {
    const siteNo = withCustom(role('no', { site: [rule('workspace:read', true)] }), role('yes', { site: [rule('workspace:read')] }));
    expect(can(siteNo, 'read', mine)).toBe(false);
    const orgNo = withCustom(role('no', { organization: [rule('workspace:read', true)] }));
    expect(can(orgNo, 'read', mine)).toBe(false);
    expect(can(orgNo, 'update', mine)).toBe(true);
    expect(can({ ...orgNo, roles: ['owner'] }, 'read', mine)).toBe(true);
    const userNo = withCustom(role('no', { user: [rule('workspace:read', true)] }));
    expect(can(userNo, 'read', mine)).toBe(false);
    expect(can(userNo, 'read', { ...mine, userAcl: { me: ['read'] } })).toBe(true);
  });

  test('wildcards in a custom role match every type or every action', () => {
    const all = withCustom(role('all', { organization: [{ negate: false, resourceType: '*', action: '*' }] }));
    expect(can(all, 'ssh', theirs)).toBe(true);
    const readAll = withCustom(role('read', { organization: [{ negate: false, resourceType: '*', action: 'read' }] }));
    expect(can(readAll, 'read', theirs)).toBe(true);
    expect(can(readAll, 'update', theirs)).toBe(false);
  });

  test('role names without a definition grant nothing', () => {
    expect(can(subject({ roles: ['organization-admin', 'root'] }), 'update', theirs)).toBe(false);
    expect(can(subject({ organizations: new Map([['org', ['owner']]]) }), 'update', theirs)).toBe(false);
  });

  test('"in any organization" asks whether one of them allows it', () => {
    const admin = subject({ organizations: new Map([['other', ['organization-template-admin']]]) });
    expect(can(admin, 'create', { type: 'template', anyOrganization: true })).toBe(true);
    expect(can(subject(), 'create', { type: 'template', anyOrganization: true })).toBe(false);
    expect(can(subject(), 'create', { type: 'workspace', anyOrganization: true, owner: 'me' })).toBe(true);
    expect(can(subject({ organizations: new Map() }), 'create', { type: 'workspace', anyOrganization: true, owner: 'me' })).toBe(false);
  });
});

describe('ACLs', () => {
  const shared = (acl: { userAcl?: Record<string, string[]>; groupAcl?: Record<string, string[]> }) =>
    templateObject({ id: 't', organizationId: 'org', ...acl });

  test('a user entry holds also outside the organization; `*` is every action', () => {
    expect(can(subject(), 'read', shared({}))).toBe(false);
    expect(can(subject(), 'read', shared({ userAcl: { me: ['read'] } }))).toBe(true);
    expect(can(subject(), 'update', shared({ userAcl: { me: ['read'] } }))).toBe(false);
    expect(can(subject({ organizations: new Map() }), 'update', shared({ userAcl: { me: ['*'] } }))).toBe(true);
  });

  test('group entries and the everyone group count only for members of the organization', () => {
    const outsider = subject({ organizations: new Map(), groups: ['g'] });
    const insider = subject({ groups: ['g'] });
    expect(can(insider, 'read', shared({ groupAcl: { g: ['read'] } }))).toBe(true);
    expect(can(outsider, 'read', shared({ groupAcl: { g: ['read'] } }))).toBe(false);
    expect(can(subject(), 'read', shared({ groupAcl: { org: ['read'] } }))).toBe(true);
    expect(can(outsider, 'read', shared({ groupAcl: { org: ['read'] } }))).toBe(false);
  });

  test('the everyone group of another organization opens nothing here', () => {
    const both = subject({
      organizations: new Map([
        ['org', []],
        ['other', []],
      ]),
    });
    expect(can(both, 'read', shared({ groupAcl: { other: ['read'] } }))).toBe(false);
  });

  test('members read their own groups', () => {
    expect(can(subject({ groups: ['g'] }), 'read', groupObject({ id: 'g', organizationId: 'org' }))).toBe(true);
    expect(can(subject(), 'read', groupObject({ id: 'g', organizationId: 'org' }))).toBe(false);
    expect(can(subject(), 'read', groupObject({ id: 'org', organizationId: 'org' }))).toBe(true);
  });

  test('names from the prototype are not entries', () => {
    expect(can(subject({ id: 'constructor' }), 'read', shared({ userAcl: {} }))).toBe(false);
  });
});

describe('scopes', () => {
  test('application_connect leaves an owner nothing but opening apps', () => {
    const key = subject({ roles: ['owner'], scope: 'application_connect' });
    expect(can(key, 'application_connect', mine)).toBe(true);
    expect(can(key, 'read', mine)).toBe(false);
    expect(can(subject({ scope: 'application_connect' }), 'application_connect', theirs)).toBe(false);
  });

  test('a scope bound to ids refuses every other object, and objects without an id', () => {
    const scope = { name: 'one', permissions: [{ negate: false, resourceType: '*', action: '*' }], onlyIds: ['w'] } as const;
    const key = subject({ scope });
    expect(can(key, 'read', mine)).toBe(true);
    expect(can(key, 'read', { ...mine, id: 'x' })).toBe(false);
    expect(can(key, 'read', { ...mine, id: null })).toBe(false);
    expect(can(key, 'read', { ...mine, id: 'x', userAcl: { me: ['*'] } })).toBe(false);
  });
});

test('a deployment can keep its owners out of other people’s workspaces', () => {
  const owner = subject({ roles: ['owner'], ownersMayNotEnterWorkspaces: true });
  expect(can(owner, 'ssh', theirs)).toBe(false);
  expect(can(owner, 'application_connect', theirs)).toBe(false);
  expect(can(owner, 'delete', theirs)).toBe(true);
  expect(can(owner, 'ssh', mine)).toBe(true);
});

test('types and actions from outside are refused when they do not exist', () => {
  const owner = subject({ roles: ['owner'] });
  expect(canUnchecked(owner, 'read', { type: 'workspace' })).toBe(true);
  expect(canUnchecked(owner, 'fly', { type: 'workspace' })).toBe(false);
  expect(canUnchecked(owner, 'read', { type: 'castle' })).toBe(false);
  expect(canDo(owner, 'license:read', {})).toBe(true);
  expect(isPermission('license:update')).toBe(false);
});

test('impossible permissions do not compile', () => {
  expectTypeOf<'license:read'>().toExtend<Permission>();
  expectTypeOf<'license:update'>().not.toExtend<Permission>();
  expectTypeOf<ActionOf<'debug_info'>>().toEqualTypeOf<'read'>();
  expectTypeOf(permissionParts('user:read_personal').type).toEqualTypeOf<'user'>();
});

test('acting on somebody needs all that their roles gave them', () => {
  const owner = subject({ id: 'o', roles: ['owner'], organizations: new Map() });
  const userAdmin = subject({ id: 'u', roles: ['user-admin'], organizations: new Map() });
  const auditor = subject({ id: 'a', roles: ['auditor'] });
  const orgAdmin = subject({ id: 'x', organizations: new Map([['org', ['organization-admin']]]) });
  const plain = subject({ id: 'p' });
  expect(coversRightsOf(owner, userAdmin)).toBe(true);
  expect(coversRightsOf(userAdmin, owner)).toBe(false);
  expect(coversRightsOf(userAdmin, plain)).toBe(true);
  expect(coversRightsOf(userAdmin, auditor)).toBe(false);
  expect(coversRightsOf(userAdmin, orgAdmin)).toBe(false);
  expect(coversRightsOf(orgAdmin, plain)).toBe(true);
  expect(coversRightsOf(owner, orgAdmin)).toBe(true);
});
