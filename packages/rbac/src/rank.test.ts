import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customRoles, ORGS, permissions, rows, subjects } from './arbitraries.ts';
import { canUnchecked } from './authorize.ts';
import { coversRightsIn, coversRole } from './rank.ts';
import { permissionParts } from './resources.ts';
import type { PermissionRule, Role } from './roles.ts';
import { SCOPES } from './scopes.ts';
import type { Subject } from './subject.ts';

const PLACES = [null, ...ORGS];

/** Somebody with nothing but `role`, where it is given. */
function holder(role: Role, organizationId: string | null): Subject {
  const none = { id: 'holder', roles: [], groups: [], scope: 'all' } as const;
  if (organizationId === null) return { ...none, roles: [role.name], customSiteRoles: [role], organizations: new Map() };
  return { ...none, organizations: new Map([[organizationId, [role.name]]]), customRoles: new Map([[organizationId, [role]]]) };
}

function withoutRole(subject: Subject): Subject {
  return { ...subject, roles: [], organizations: new Map([...subject.organizations.keys()].map((id) => [id, []])) };
}

const grant = (resourceType: PermissionRule['resourceType'], action: string): PermissionRule => ({ negate: false, resourceType, action });
const role = (levels: Partial<Role>): Role => ({ name: 'r', displayName: 'R', site: [], organization: [], user: [], ...levels });
const holding = (roles: readonly string[], organizations: [string, string[]][] = []): Subject => ({
  id: 'me',
  roles,
  organizations: new Map(organizations),
  groups: [],
  scope: 'all',
});

describe('a role that its giver covers', () => {
  const actors = fc.record({ subject: subjects, site: fc.array(customRoles, { maxLength: 2 }) }).map(({ subject, site }) => ({
    ...subject,
    roles: [...subject.roles, ...site.map(({ name }) => name)],
    customSiteRoles: site,
  }));
  /** A role that grants one thing at one level: whatever it gives, it gives by that. */
  const grants = fc.record({ level: fc.constantFrom('site' as const, 'organization' as const, 'user' as const), permission: permissions });

  test('lets its holder do nothing that the giver could not do in the same place', () => {
    let covered = 0;
    fc.assert(
      fc.property(actors, grants, fc.constantFrom(...PLACES), rows, (actor, { level, permission }, place, row) => {
        const { type, action } = permissionParts(permission);
        const given = role({ [level]: [grant(type, action)] });
        if (!coversRole(actor, given, place)) return;
        const plain = { ...row, type, userAcl: {}, groupAcl: {} };
        const ownedBy = (subject: Subject) => ({ ...plain, owner: row.owner === 'u1' ? subject.id : row.owner });
        const subject = holder(given, place);
        const gains = canUnchecked(subject, action, ownedBy(subject)) && !canUnchecked(withoutRole(subject), action, ownedBy(subject));
        if (!gains) return;
        covered += 1;
        expect(canUnchecked(actor, action, ownedBy(actor))).toBe(true);
      }),
      { numRuns: 20_000 },
    );
    expect(covered).toBeGreaterThan(100);
  });

  test('of many grants is covered exactly when each of them is', () => {
    const many = fc.array(grants, { maxLength: 4 });
    fc.assert(
      fc.property(actors, many, fc.constantFrom(...PLACES), (actor, given, place) => {
        const levels = { site: [], organization: [], user: [] } as Record<'site' | 'organization' | 'user', PermissionRule[]>;
        for (const { level, permission } of given) {
          const { type, action } = permissionParts(permission);
          levels[level].push(grant(type, action));
        }
        const each = given.every(({ level, permission }) => {
          const { type, action } = permissionParts(permission);
          return coversRole(actor, role({ [level]: [grant(type, action)] }), place);
        });
        expect(coversRole(actor, role(levels), place)).toBe(each);
      }),
      { numRuns: 2000 },
    );
  });

  test('stays covered when the giver gets more built-in roles', () => {
    fc.assert(
      fc.property(subjects, customRoles, fc.constantFrom(...PLACES), (actor, given, place) => {
        const plain = { ...actor, ownersMayNotEnterWorkspaces: false, customRoles: new Map() };
        if (coversRole(plain, given, place)) expect(coversRole({ ...plain, roles: [...plain.roles, 'owner'] }, given, place)).toBe(true);
      }),
    );
  });
});

describe('covering a role', () => {
  const readsTemplates = role({ organization: [grant('template', 'read')] });

  test('counts the rights of the organization only in that organization', () => {
    const admin = holding(
      [],
      [
        ['org', ['organization-admin']],
        ['other', []],
      ],
    );
    expect(coversRole(admin, readsTemplates, 'org')).toBe(true);
    expect(coversRole(admin, readsTemplates, 'other')).toBe(false);
    expect(coversRole(admin, role({ site: [grant('template', 'read')] }), 'org')).toBe(false);
  });

  test('takes a right over everything for a right over some', () => {
    const admin = holding(['template-admin']);
    expect(coversRole(admin, readsTemplates, 'org')).toBe(true);
    expect(coversRole(admin, role({ user: [grant('template', 'read')] }), null)).toBe(true);
    expect(coversRole(admin, role({ site: [grant('template', '*'), grant('user', 'delete')] }), null)).toBe(false);
  });

  test('leaves out what a role of the organization takes away from one’s own things there', () => {
    const overOwn = role({ user: [grant('api_key', 'read')] });
    const without = role({ organization: [{ ...grant('api_key', 'read'), negate: true }] });
    const member: Subject = { ...holding([], [['org', ['r']]]), customRoles: new Map([['org', [without]]]) };
    expect(coversRole(holding([], [['org', []]]), overOwn, 'org')).toBe(true);
    expect(coversRole(member, overOwn, 'org')).toBe(false);
  });

  test('needs the credential in use to carry the right, too', () => {
    const owner = holding(['owner']);
    expect(coversRole({ ...owner, scope: 'read_only' }, readsTemplates, 'org')).toBe(true);
    expect(coversRole({ ...owner, scope: 'application_connect' }, readsTemplates, 'org')).toBe(false);
    expect(coversRole({ ...owner, scope: { ...SCOPES.all, onlyIds: ['x'] } }, readsTemplates, 'org')).toBe(false);
  });

  test('is nobody’s trouble for a role that grants nothing', () => {
    expect(coversRole(holding([]), role({ site: [{ ...grant('*', '*'), negate: true }] }), null)).toBe(true);
  });
});

describe('a member whose rights the actor covers', () => {
  test('may do nothing in the organization, by what they were given, that the actor may not', () => {
    fc.assert(
      fc.property(subjects, subjects, fc.constantFrom(...ORGS), permissions, (actor, given, organizationId, permission) => {
        const target = {
          ...given,
          organizations: new Map([...given.organizations, [organizationId, given.organizations.get(organizationId) ?? []]]),
        };
        if (!coversRightsIn(actor, { target, organizationId })) return;
        const { type, action } = permissionParts(permission);
        const asked = (subject: Subject): boolean => canUnchecked({ ...subject, scope: 'all' }, action, { type, organizationId });
        if (asked(withoutRole(target)) || !asked(target)) return;
        expect(asked(actor)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('does not count what they may do elsewhere', () => {
    const actor = holding([], [['org', ['organization-user-admin']]]);
    const target = (organizations: [string, string[]][], roles: string[] = []) => ({
      target: holding(roles, organizations),
      organizationId: 'org',
    });
    expect(coversRightsIn(actor, target([['org', []]]))).toBe(true);
    expect(
      coversRightsIn(
        actor,
        target([
          ['org', []],
          ['other', ['organization-admin']],
        ]),
      ),
    ).toBe(true);
    expect(coversRightsIn(actor, target([['org', ['organization-admin']]]))).toBe(false);
    expect(coversRightsIn(actor, target([['org', []]], ['owner']))).toBe(false);
    expect(coversRightsIn(holding(['owner']), target([['org', ['organization-admin']]], ['owner']))).toBe(true);
  });
});
