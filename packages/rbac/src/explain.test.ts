import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customRoles, permissions, rows, subjects } from './arbitraries.ts';
import { canUnchecked } from './authorize.ts';
import type { Reason } from './explain.ts';
import { explain, rolesThatWouldGrant } from './explain.ts';
import { groupObject, templateObject, workspaceObject } from './objects.ts';
import { permissionParts } from './resources.ts';
import type { Role } from './roles.ts';
import type { Subject } from './subject.ts';

const siteRoles = fc.record({ names: fc.subarray(['custom-a', 'custom-b']), definitions: fc.array(customRoles, { maxLength: 2 }) });
const subjectsWithSiteRoles: fc.Arbitrary<Subject> = fc
  .tuple(subjects, siteRoles)
  .map(([subject, { names, definitions }]) => ({ ...subject, roles: [...subject.roles, ...names], customSiteRoles: definitions }));
const objects = fc.tuple(rows, fc.boolean()).map(([row, anyOrganization]) => ({ ...row, anyOrganization }));
const questions = { subject: subjectsWithSiteRoles, permission: permissions, object: objects };
const REFUSING: readonly string[] = ['scope', 'negated', 'not_a_member', 'no_grant'] satisfies Reason['kind'][];

/** The subject with nothing but memberships and what one reason names. */
function withOnly(subject: Subject, { kind, role, groupId }: Reason): Subject {
  const held = role === null ? [] : [role];
  return {
    ...subject,
    roles: held.flatMap((place) => (place.organizationId === null ? [place.role] : [])),
    organizations: new Map(
      [...subject.organizations.keys()].map((id) => [
        id,
        held.flatMap((place) => (place.organizationId === id && place.role !== 'organization-member' ? [place.role] : [])),
      ]),
    ),
    groups: kind === 'group_acl' && groupId !== null ? [groupId] : [],
  };
}

function withoutNegations(subject: Subject): Subject {
  const granting = (role: Role): Role => ({
    ...role,
    site: role.site.filter(({ negate }) => !negate),
    organization: role.organization.filter(({ negate }) => !negate),
    user: role.user.filter(({ negate }) => !negate),
  });
  return {
    ...subject,
    customSiteRoles: (subject.customSiteRoles ?? []).map(granting),
    customRoles: new Map([...(subject.customRoles ?? [])].map(([id, roles]) => [id, roles.map(granting)])),
  };
}

describe('an explanation', () => {
  test('answers as the decision itself, with reasons that fit the answer', () => {
    fc.assert(
      fc.property(fc.record(questions), ({ subject, permission, object }) => {
        const { type, action } = permissionParts(permission);
        const { allowed, reasons } = explain(subject, action, { ...object, type });
        expect(allowed).toBe(canUnchecked(subject, action, { ...object, type }));
        expect(reasons.length).toBeGreaterThan(0);
        expect(reasons.every(({ kind }) => REFUSING.includes(kind))).toBe(!allowed);
        expect(reasons.some(({ kind }) => REFUSING.includes(kind))).toBe(!allowed);
      }),
      { numRuns: 2000 },
    );
  });

  test('that grants names things of which each alone suffices', () => {
    fc.assert(
      fc.property(fc.record(questions), ({ subject, permission, object }) => {
        const { type, action } = permissionParts(permission);
        const { allowed, reasons } = explain(subject, action, { ...object, type });
        if (!allowed) return;
        for (const one of reasons) {
          const lists =
            one.kind === 'user_acl'
              ? { userAcl: object.userAcl, groupAcl: {} }
              : one.kind === 'group_acl' || one.kind === 'everyone_group'
                ? { userAcl: {}, groupAcl: object.groupAcl }
                : { userAcl: {}, groupAcl: {} };
          const owner = one.kind === 'ownership' ? object.owner : null;
          expect(canUnchecked(withOnly(subject, one), action, { ...object, ...lists, owner, type }), JSON.stringify(one)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('that grants leaves nothing out: without what it names, nothing is allowed', () => {
    fc.assert(
      fc.property(fc.record(questions), ({ subject: given, permission, object }) => {
        // A role that grants at one level and negates at another may keep others from granting.
        const subject = withoutNegations(given);
        const { type, action } = permissionParts(permission);
        const { allowed, reasons } = explain(subject, action, { ...object, type });
        const isNamed = (role: string, organizationId: string | null): boolean =>
          reasons.some((one) => one.role?.role === role && one.role.organizationId === organizationId);
        // What is implied cannot be taken away.
        if (!allowed || reasons.some(({ role }) => role?.role === 'member' || role?.role === 'organization-member')) return;
        const kinds = new Set(reasons.map(({ kind }) => kind));
        const rest: Subject = {
          ...subject,
          roles: subject.roles.filter((role) => !isNamed(role, null)),
          organizations: new Map([...subject.organizations].map(([id, roles]) => [id, roles.filter((role) => !isNamed(role, id))])),
          groups: subject.groups.filter((id) => !reasons.some(({ groupId }) => groupId === id)),
        };
        const lists = {
          userAcl: kinds.has('user_acl') ? {} : object.userAcl,
          groupAcl: kinds.has('everyone_group') ? {} : object.groupAcl,
        };
        expect(explain(rest, action, { ...object, ...lists, type }).allowed).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('names the roles that would help, and only those', () => {
    fc.assert(
      fc.property(fc.record(questions), ({ subject, permission, object }) => {
        const { type, action } = permissionParts(permission);
        const place = { ...object, type };
        for (const { role, organizationId } of rolesThatWouldGrant(subject, action, { object: place })) {
          const more: Subject =
            organizationId === null
              ? { ...subject, roles: [...subject.roles, role] }
              : {
                  ...subject,
                  organizations: new Map([
                    ...subject.organizations,
                    [organizationId, [...(subject.organizations.get(organizationId) ?? []), role]],
                  ]),
                };
          expect(canUnchecked(more, action, place)).toBe(true);
        }
      }),
    );
  });
});

const subject = (overrides: Partial<Subject> = {}): Subject => ({
  id: 'me',
  roles: [],
  organizations: new Map([['org', []]]),
  groups: [],
  scope: 'all',
  ...overrides,
});
const theirs = workspaceObject({ id: 'w', ownerId: 'you', organizationId: 'org' });
const mine = workspaceObject({ id: 'w', ownerId: 'me', organizationId: 'org' });
const kinds = (...of: Parameters<typeof explain>): string[] => explain(...of).reasons.map(({ kind }) => kind);

test('each way to a permission has its own name', () => {
  const reader: Role = {
    name: 'reader',
    displayName: 'Reader',
    site: [],
    organization: [{ negate: false, resourceType: 'workspace', action: 'read' }],
    user: [],
  };
  expect(explain(subject({ roles: ['template-admin'] }), 'read', theirs).reasons).toEqual([
    { kind: 'site_role', role: { role: 'template-admin', organizationId: null }, organizationId: null, groupId: null },
  ]);
  const organizations = new Map([['org', ['organization-admin', 'reader']]]);
  expect(kinds(subject({ organizations, customRoles: new Map([['org', [reader]]]) }), 'read', theirs)).toEqual([
    'organization_role',
    'custom_role',
  ]);
  expect(kinds(subject(), 'ssh', mine)).toEqual(['ownership']);
  const template = (lists: object) => templateObject({ organizationId: 'org', ...lists });
  expect(kinds(subject(), 'read', template({ userAcl: { me: ['read'] } }))).toEqual(['user_acl']);
  expect(kinds(subject(), 'read', template({ groupAcl: { org: ['read'] } }))).toEqual(['everyone_group']);
  expect(kinds(subject({ groups: ['g'] }), 'read', groupObject({ id: 'g', organizationId: 'org' }))).toEqual(['group_acl']);
});

test('each refusal has its own name', () => {
  const blind: Role = {
    name: 'blind',
    displayName: '',
    site: [{ negate: true, resourceType: 'workspace', action: '*' }],
    organization: [],
    user: [],
  };
  expect(kinds(subject(), 'read', theirs)).toEqual(['no_grant']);
  expect(kinds(subject({ scope: 'read_only' }), 'ssh', mine)).toEqual(['scope']);
  expect(kinds(subject({ scope: 'read_only' }), 'ssh', theirs)).toEqual(['scope', 'no_grant']);
  expect(kinds(subject({ organizations: new Map() }), 'read', mine)).toEqual(['not_a_member', 'no_grant']);
  expect(kinds(subject({ roles: ['blind'], customSiteRoles: [blind] }), 'read', mine)).toEqual(['negated']);
});

test('what would help is said by role and place, custom roles among them', () => {
  const helper: Role = {
    name: 'helper',
    displayName: '',
    site: [],
    organization: [{ negate: false, resourceType: 'workspace', action: 'ssh' }],
    user: [],
  };
  expect(rolesThatWouldGrant(subject(), 'ssh', { object: theirs, custom: { organization: [helper] } })).toEqual([
    { role: 'owner', organizationId: null },
    { role: 'helper', organizationId: 'org' },
  ]);
  expect(rolesThatWouldGrant(subject({ organizations: new Map() }), 'read', { object: mine })).toContainEqual({
    role: 'organization-member',
    organizationId: 'org',
  });
  expect(rolesThatWouldGrant(subject({ scope: 'application_connect' }), 'read', { object: theirs })).toEqual([]);
});
