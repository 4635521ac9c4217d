import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupSync, IdpSyncFacts, IdpSyncInput, IdpSyncPlan, IdpSyncSettings } from './model.ts';
import { planIdpSync } from './plan.ts';

const OFF: IdpSyncSettings = {
  organization: { field: '', mapping: {}, assignDefault: true },
  groups: new Map(),
  roles: new Map(),
  siteRoles: { field: '', mapping: {}, defaults: [] },
};

const ROLES = ['organization-admin', 'organization-auditor', 'custom'];
const SITE_ROLES = ['owner', 'auditor', 'user-admin'];

const FACTS: IdpSyncFacts = {
  organizations: [
    { id: 'default', isDefault: true, groups: [], roles: ROLES },
    {
      id: 'crew',
      isDefault: false,
      groups: [
        { id: 'g-sailors', name: 'sailors' },
        { id: 'g-cooks', name: 'cooks' },
      ],
      roles: ROLES,
    },
  ],
  siteRoles: SITE_ROLES,
  user: { isNew: false, organizations: new Map(), groupIds: new Set(), siteRoles: [], isLastOwner: false },
};

const groupSync: GroupSync = {
  field: 'groups',
  mapping: {},
  regexFilter: null,
  autoCreateMissingGroups: false,
  legacyGroupNameMapping: {},
};
const inCrew = { ...FACTS, user: { ...FACTS.user, organizations: new Map([['crew', []]]) } };

function groupsOf(sync: Partial<GroupSync>, groups: unknown, facts: IdpSyncFacts = inCrew) {
  const settings = { ...OFF, groups: new Map([['crew', { ...groupSync, ...sync }]]) };
  const plan = planIdpSync({ claims: { groups }, settings, facts });
  const part = plan.groups.find(({ organizationId }) => organizationId === 'crew');
  return { part, items: part?.items.map(({ name, change }) => `${change} ${name}`), trace: plan.trace };
}

describe('organizations', () => {
  const settings = { ...OFF, organization: { field: 'orgs', mapping: { a: ['crew'], b: ['gone'], c: [] }, assignDefault: true } };

  it('are those of the mapping and the default one; others are left, and unknown ones passed over', () => {
    const facts = { ...FACTS, user: { ...FACTS.user, organizations: new Map([['elsewhere', []]]) } };
    const plan = planIdpSync({ claims: { orgs: ['a', 'b', 'c', 'crew'] }, settings, facts });
    expect(plan.organizations).toMatchObject({ status: 'applied', field: 'orgs' });
    expect(plan.organizations.items).toEqual([
      { organizationId: 'default', change: 'add' },
      { organizationId: 'crew', change: 'add' },
      { organizationId: 'elsewhere', change: 'remove' },
    ]);
    expect(plan.trace.map(({ value, outcome, rule, target }) => [value, outcome, rule, target].join(' '))).toEqual([
      ' given default default',
      'a given mapping crew',
      'b dropped mapping gone',
      'c dropped mapping ',
      'crew dropped mapping ',
      ' dropped membership elsewhere',
    ]);
  });

  it('stay as they are when the sync is off, but for somebody new, who joins the default one', () => {
    const member = { ...FACTS, user: { ...FACTS.user, organizations: new Map([['crew', []]]) } };
    expect(planIdpSync({ claims: {}, settings: OFF, facts: member }).organizations.items).toEqual([
      { organizationId: 'crew', change: 'keep' },
    ]);
    expect(planIdpSync({ claims: {}, settings: OFF, facts: FACTS }).organizations.items).toEqual([]);
    const newcomer = { ...FACTS, user: { ...FACTS.user, isNew: true } };
    const unasked = { ...OFF, organization: { ...OFF.organization, assignDefault: false } };
    const joined = { ...newcomer, user: { ...newcomer.user, organizations: new Map([['default', []]]) } };
    expect(planIdpSync({ claims: {}, settings: unasked, facts: joined }).organizations.items).toEqual([
      { organizationId: 'default', change: 'remove' },
    ]);
    expect(planIdpSync({ claims: {}, settings: OFF, facts: joined }).organizations.items).toEqual([
      { organizationId: 'default', change: 'keep' },
    ]);
    expect(planIdpSync({ claims: {}, settings: OFF, facts: newcomer }).organizations.items).toEqual([
      { organizationId: 'default', change: 'add' },
    ]);
  });
});

describe('groups', () => {
  it('are found by mapping, else by name; a mapped value is no name', () => {
    expect(groupsOf({ mapping: { galley: ['g-cooks'], sailors: [] } }, ['galley', 'sailors', 'nobody']).items).toEqual(['add cooks']);
    expect(groupsOf({}, ['sailors', 'Cooks']).items).toEqual(['add sailors']);
  });

  it('are filtered by a pattern that may match anywhere, before they are mapped and after they are renamed', () => {
    expect(groupsOf({ regexFilter: '^sail' }, ['sailors', 'cooks']).items).toEqual(['add sailors']);
    expect(groupsOf({ regexFilter: '^sail', legacyGroupNameMapping: { old: 'sailors' } }, ['old']).items).toEqual(['add sailors']);
    expect(groupsOf({ regexFilter: 'ook', mapping: { x: ['g-cooks'] } }, ['x', 'cooks']).items).toEqual(['add cooks']);
  });

  it('stay as they are when the pattern cannot be read', () => {
    const facts = { ...inCrew, user: { ...inCrew.user, groupIds: new Set(['g-cooks']) } };
    expect(groupsOf({ regexFilter: '(' }, ['sailors'], facts)).toMatchObject({ part: { status: 'failed' }, items: ['keep cooks'] });
  });

  it('are matched in linear time, whatever the pattern', () => {
    const started = performance.now();
    groupsOf(
      { regexFilter: '^(a+)+$' },
      Array.from({ length: 100 }, (_, index) => `${'a'.repeat(900)}!${index}`),
    );
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('that are missing are made when that is wanted and the name can be one', () => {
    const result = groupsOf({ autoCreateMissingGroups: true }, ['riggers', 'two words', 'Everyone', 'new', 'sailors']);
    expect(result.items).toEqual(['add sailors', 'create riggers']);
    expect(result.trace.filter(({ outcome }) => outcome === 'dropped').map(({ value }) => value)).toEqual(['two words', 'Everyone', 'new']);
    const many = groupsOf(
      { autoCreateMissingGroups: true },
      Array.from({ length: 200 }, (_, index) => `g${index}`),
    );
    expect(many.part?.items.length).toBe(100);
  });
});

describe('roles', () => {
  const settings = {
    ...OFF,
    roles: new Map([['crew', { field: 'roles', mapping: { boss: ['organization-admin', 'gone'] } }]]),
    siteRoles: { field: 'site', mapping: { ops: ['user-admin'] }, defaults: ['auditor', 'gone'] },
  };

  it('of an organization are those of the mapping or of that name, and no site role is among them', () => {
    const plan = planIdpSync({ claims: { roles: ['boss', 'custom', 'owner', 'organization-member'] }, settings, facts: inCrew });
    expect(plan.organizationRoles[0]?.items).toEqual([
      { role: 'organization-admin', change: 'add' },
      { role: 'custom', change: 'add' },
    ]);
  });

  it('of the site are those of the claim and the standard ones, and the last owner stays one', () => {
    const facts = { ...FACTS, user: { ...FACTS.user, siteRoles: ['owner'], isLastOwner: true } };
    const roles = (plan: IdpSyncPlan) => plan.siteRoles.items.map(({ role, change }) => `${change} ${role}`);
    expect(roles(planIdpSync({ claims: { site: ['ops', 'member'] }, settings, facts }))).toEqual([
      'add user-admin',
      'add auditor',
      'keep owner',
    ]);
    const other = { ...facts, user: { ...facts.user, isLastOwner: false } };
    expect(roles(planIdpSync({ claims: { site: ['ops'] }, settings, facts: other }))).toEqual([
      'add user-admin',
      'add auditor',
      'remove owner',
    ]);
    expect(roles(planIdpSync({ claims: { site: 'a,b' }, settings, facts: other }))).toEqual(['keep owner']);
  });
});

const word = fc.constantFrom('sailors', 'cooks', 'crew', 'boss', 'owner', 'custom', 'organization-admin', 'auditor', 'riggers', 'x y');
const claim = fc.oneof(
  fc.array(word, { maxLength: 6 }),
  word,
  fc.constantFrom('a,b', '', null, undefined, 7, { a: 1 }),
  fc.array(fc.oneof(word, fc.integer()), { maxLength: 3 }),
);
const mappingTo = (...targets: string[]) => fc.dictionary(word, fc.array(fc.constantFrom(...targets), { maxLength: 3 }), { maxKeys: 4 });
const field = (name: string) => fc.constantFrom(name, name, '');

const arbitraryInput: fc.Arbitrary<IdpSyncInput> = fc.record({
  claims: fc.record({ orgs: claim, groups: claim, roles: claim, site: claim }),
  settings: fc.record({
    organization: fc.record({ field: field('orgs'), mapping: mappingTo('crew', 'default', 'gone'), assignDefault: fc.boolean() }),
    groups: fc
      .record({
        field: field('groups'),
        mapping: mappingTo('g-sailors', 'g-cooks', 'g-gone'),
        regexFilter: fc.constantFrom(null, '', 'a', '(', '^[a-z]+$'),
        autoCreateMissingGroups: fc.boolean(),
        legacyGroupNameMapping: fc.dictionary(word, word, { maxKeys: 2 }),
      })
      .map((sync) => new Map([['crew', sync]])),
    roles: fc.record({ field: field('roles'), mapping: mappingTo(...ROLES, 'gone') }).map((sync) => new Map([['crew', sync]])),
    siteRoles: fc.record({
      field: field('site'),
      mapping: mappingTo(...SITE_ROLES, 'gone'),
      defaults: fc.subarray([...SITE_ROLES, 'gone']),
    }),
  }),
  facts: fc
    .record({
      isNew: fc.boolean(),
      memberOf: fc.subarray(['default', 'crew', 'elsewhere']),
      roles: fc.subarray(ROLES),
      groups: fc.subarray(['g-sailors', 'g-cooks']),
      siteRoles: fc.subarray(SITE_ROLES),
      isLastOwner: fc.boolean(),
    })
    .map(({ isNew, memberOf, roles, groups, siteRoles, isLastOwner }) => ({
      ...FACTS,
      organizations: [...FACTS.organizations, { id: 'elsewhere', isDefault: false, groups: [], roles: ROLES }],
      user: {
        isNew,
        organizations: new Map(memberOf.map((id) => [id, id === 'crew' ? roles : []])),
        groupIds: new Set(memberOf.includes('crew') ? groups : []),
        siteRoles,
        isLastOwner,
      },
    })),
});

const stays = <T extends { readonly change: string }>(items: readonly T[]): T[] => items.filter(({ change }) => change !== 'remove');

/** The facts after a plan was carried out, as the database would have them. */
function carriedOut(input: IdpSyncInput, plan: IdpSyncPlan): IdpSyncInput {
  const rolesOf = new Map(plan.organizationRoles.map((part) => [part.organizationId, stays(part.items).map(({ role }) => role)]));
  const made = plan.groups.flatMap(({ organizationId, items }) =>
    items.flatMap(({ groupId, name }) => (groupId === null ? [{ organizationId, id: `made-${name}`, name }] : [])),
  );
  return {
    ...input,
    facts: {
      ...input.facts,
      organizations: input.facts.organizations.map((organization) => ({
        ...organization,
        groups: [...organization.groups, ...made.filter(({ organizationId }) => organizationId === organization.id)],
      })),
      user: {
        ...input.facts.user,
        isNew: false,
        organizations: new Map(
          stays(plan.organizations.items).map(({ organizationId }) => [organizationId, rolesOf.get(organizationId) ?? []]),
        ),
        groupIds: new Set(plan.groups.flatMap(({ items }) => stays(items).map(({ groupId, name }) => groupId ?? `made-${name}`))),
        siteRoles: stays(plan.siteRoles.items).map(({ role }) => role),
      },
    },
  };
}

const everyChange = (plan: IdpSyncPlan): string[] =>
  [plan.organizations, ...plan.groups, ...plan.organizationRoles, plan.siteRoles].flatMap(({ items }) => items.map(({ change }) => change));

describe('a plan', () => {
  it('is the same for the same input, and changes nothing once it is carried out', () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const plan = planIdpSync(input);
        expect(planIdpSync(input)).toEqual(plan);
        expect(everyChange(planIdpSync(carriedOut(input, plan))).every((change) => change === 'keep')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('gives only what exists, and only what a mapping, a name, a standard or the rule for missing groups says', () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const plan = planIdpSync(input);
        const given = new Set(plan.trace.filter(({ outcome }) => outcome === 'given').map(({ kind, target }) => `${kind} ${target}`));
        const isGiven = (kind: string, target: string, change: string) =>
          change === 'keep' || change === 'remove' || given.has(`${kind} ${target}`);
        for (const { organizationId, change } of plan.organizations.items) {
          expect(isGiven('organization', organizationId, change)).toBe(true);
          expect(['default', 'crew', 'elsewhere']).toContain(organizationId);
        }
        for (const { items } of plan.groups) {
          for (const { groupId, name, change } of items) expect(isGiven('group', groupId ?? name, change)).toBe(true);
        }
        for (const { items } of plan.organizationRoles) {
          for (const { role, change } of items) {
            expect(isGiven('organization_role', role, change)).toBe(true);
            expect(ROLES).toContain(role);
          }
        }
        for (const { role, change } of plan.siteRoles.items) {
          expect(isGiven('site_role', role, change)).toBe(true);
          expect(SITE_ROLES).toContain(role);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every part whose claim cannot be read, and no claim changes another part', () => {
    fc.assert(
      fc.property(arbitraryInput, claim, (input, other) => {
        const plan = planIdpSync(input);
        for (const part of [plan.organizations, ...plan.groups, ...plan.organizationRoles, plan.siteRoles]) {
          if (part.status === 'failed') expect(part.problem).not.toBe('');
          if (part.status !== 'applied' && part !== plan.organizations) {
            expect(part.items.every(({ change }) => change === 'keep')).toBe(true);
          }
        }
        const changed = planIdpSync({ ...input, claims: { ...input.claims, groups: other } });
        expect({ ...changed, groups: [], trace: changed.trace.filter(({ kind }) => kind !== 'group') }).toEqual({
          ...plan,
          groups: [],
          trace: plan.trace.filter(({ kind }) => kind !== 'group'),
        });
      }),
      { numRuns: 500 },
    );
  });

  it('explains each claim value that it was given', () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const plan = planIdpSync(input);
        const { siteRoles } = plan;
        if (siteRoles.status !== 'applied') return;
        const values = input.claims['site'];
        const explained = new Set(plan.trace.filter(({ kind }) => kind === 'site_role').map(({ value }) => value));
        for (const value of Array.isArray(values) ? values : []) expect(explained.has(String(value))).toBe(true);
        for (const line of plan.trace) expect(line.reason).toMatch(/\.$/);
      }),
      { numRuns: 200 },
    );
  });
});
