import { newId } from '@berth/core';
import type { ObjectRef, PermissionRule, Role, Subject } from '@berth/rbac';
import {
  apiKeyObject,
  auditLogObject,
  canUnchecked,
  groupMemberObject,
  groupObject,
  limitedScope,
  ORGANIZATION_ROLE_NAMES,
  organizationMemberObject,
  organizationObject,
  PERMISSIONS,
  SCOPE_NAMES,
  SITE_ROLE_NAMES,
  templateObject,
  userObject,
  workspaceObject,
} from '@berth/rbac';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { procedureFacts } from './procedures.ts';
import { createTestApi } from './testing/index.ts';

/**
 * Each list is filtered in SQL by what the caller may read. Here every list is asked by random callers (roles, custom roles with negations,
 * memberships, groups, key scopes) over rows with random owners, places and lists of people, and must answer exactly the rows on which
 * the decision, asked row by row, says yes.
 */
const { prisma, callAs } = await createTestApi();
type Caller = ReturnType<typeof callAs>;

const seed = Date.now();
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] => fc.sample(arbitrary, { numRuns: count, seed });
const world = await createWorld();

interface Row {
  readonly id: string;
  readonly object: ObjectRef<string>;
}

async function createWorld() {
  const rows = given(prisma);
  const organizations = await Promise.all([1, 2, 3].map(() => rows.organization()));
  const organizationIds = organizations.map(({ id }) => id);
  const inSome = sample(fc.subarray(organizationIds), 4);
  const users = await Promise.all(inSome.map((memberOf) => rows.user({ memberOf })));
  const userIds = users.map(({ id }) => id);
  const groups = await Promise.all(
    organizationIds.flatMap((organizationId) =>
      sample(fc.subarray(userIds), 2).map((memberIds) => rows.group({ organizationId, memberIds })),
    ),
  );
  const acl = (principals: readonly string[]) =>
    fc.dictionary(fc.constantFrom(...principals), fc.subarray(['read', 'update', '*']), { maxKeys: 3 });
  const lists = fc.record({ userAcl: acl(userIds), groupAcl: acl([...groups.map(({ id }) => id), ...organizationIds]) });
  const [author] = users;
  if (author === undefined) throw new Error('a world without people');
  const templates = [];
  for (const organization of organizations) {
    for (const given of sample(lists, 3)) templates.push(await rows.template({ organization, createdBy: author, ...given }));
  }
  const facts = fc.record({ owner: fc.constantFrom(...users), made: fc.constantFrom(...templates), isDormant: fc.boolean() });
  const workspaces = [];
  for (const { owner, made, isDormant } of sample(facts, 10)) {
    workspaces.push(
      await rows.workspace({
        owner,
        template: made.template,
        organization: made.organization,
        ...(isDormant ? { dormantAt: new Date() } : {}),
      }),
    );
  }
  const audit = sample(fc.option(fc.constantFrom(...organizationIds)), 12).map((organizationId) => ({ id: newId(), organizationId }));
  await prisma.auditLog.deleteMany();
  await prisma.auditLog.createMany({
    data: audit.map((row) => ({
      ...row,
      ip: '192.0.2.1',
      userAgent: '',
      requestId: newId(),
      resourceType: 'user',
      resourceId: newId(),
      resourceTarget: 'x',
      resourceIcon: '',
      action: 'create',
      diff: {},
      statusCode: 200,
      additionalFields: {},
    })),
  });
  const key = {
    hashedSecret: new Uint8Array(32),
    lifetimeSeconds: 3600n,
    absoluteExpiresAt: new Date('2100-01-01'),
    expiresAt: new Date('2100-01-01'),
  };
  const keys = userIds.flatMap((userId) =>
    ['token', 'password'].map((loginType) => ({
      ...key,
      id: newId().replaceAll('-', '').slice(-10),
      userId,
      loginType,
      tokenName: newId(),
    })),
  );
  await prisma.apiKey.createMany({ data: keys });
  await prisma.oAuth2ProviderApp.create({ data: { id: newId(), name: 'app', icon: '', callbackUrl: 'https://app.example.com' } });
  return {
    organizationIds,
    groupIds: groups.map(({ id }) => id),
    users: await prisma.user.findMany({ where: { deleted: false }, select: { id: true, username: true } }),
    members: await prisma.organizationMember.findMany({ select: { organizationId: true, userId: true } }),
    organizations: await prisma.organization.findMany({ select: { id: true } }),
    groups: await prisma.group.findMany({ select: { id: true, organizationId: true, members: { select: { userId: true } } } }),
    templates: templates.map(({ template }) => ({ ...template, object: templateObjectOf(template) })),
    versions: await prisma.templateVersion.findMany({ select: { id: true, templateId: true } }),
    workspaces: workspaces.map(({ workspace }) => ({ id: workspace.id, object: workspaceObject(workspace) })),
    builds: await prisma.workspaceBuild.findMany({ select: { id: true, workspaceId: true } }),
    audit,
    keys,
    apps: await prisma.oAuth2ProviderApp.findMany({ select: { id: true } }),
  };
}

function templateObjectOf(template: { id: string; organizationId: string; userAcl: unknown; groupAcl: unknown }): ObjectRef {
  // Written above, in this very shape.
  const { userAcl, groupAcl } = template as { userAcl: Record<string, string[]>; groupAcl: Record<string, string[]> };
  return templateObject({ id: template.id, organizationId: template.organizationId, userAcl, groupAcl });
}

// Lists ask for nothing else.
const READING = PERMISSIONS.filter((permission) => permission.endsWith(':read'));
const rules: fc.Arbitrary<PermissionRule[]> = fc.array(
  fc
    .record({ negate: fc.boolean(), permission: fc.constantFrom(...READING, '*:*', '*:read', 'workspace:*') })
    .map(({ negate, permission }) => {
      const [resourceType, action] = permission.split(':') as [PermissionRule['resourceType'], string];
      return { negate, resourceType, action };
    }),
  { maxLength: 4 },
);
const customRole = (name: string): fc.Arbitrary<Role> =>
  fc.record({ name: fc.constant(name), displayName: fc.constant(''), site: rules, organization: rules, user: rules });
const heldIn = fc.record({
  roles: fc.subarray([...ORGANIZATION_ROLE_NAMES, 'custom-a', 'custom-b'], { maxLength: 2 }),
  custom: fc.tuple(customRole('custom-a'), customRole('custom-b')),
});
const subjects: fc.Arbitrary<Subject> = fc
  .record({
    id: fc.constantFrom(...world.users.map(({ id }) => id)),
    roles: fc.subarray([...SITE_ROLE_NAMES, 'custom-s'], { maxLength: 2 }),
    customSiteRole: customRole('custom-s'),
    organizations: fc.uniqueArray(fc.tuple(fc.constantFrom(...world.organizationIds), heldIn), { maxLength: 3, selector: ([id]) => id }),
    groups: fc.subarray(world.groupIds),
    scope: fc.oneof(
      { weight: 3, arbitrary: fc.constant('all' as const) },
      fc.constantFrom(...SCOPE_NAMES),
      fc.subarray([...READING]).map(limitedScope),
    ),
  })
  .map(({ organizations, customSiteRole, ...subject }) => ({
    ...subject,
    organizations: new Map(organizations.map(([id, { roles }]) => [id, roles])),
    customRoles: new Map(organizations.map(([id, { custom }]) => [id, custom])),
    customSiteRoles: [customSiteRole],
  }));

const callerOf = (subject: Subject): Caller =>
  callAs({ kind: 'user', userId: subject.id, username: 'somebody', keyId: 'key', subject: { ...subject } });

/** What a list answers; a list whose place the caller may not know of has no rows. */
async function idsOf<T>(list: Promise<readonly T[]>, id: (item: T) => string): Promise<string[]> {
  try {
    return (await list).map(id);
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code === 'NOT_FOUND' || code === 'FORBIDDEN') return [];
    throw error;
  }
}

const byId = ({ id }: { readonly id: string }): string => id;
const may = (subject: Subject, action: string, object: ObjectRef<string>): boolean => canUnchecked(subject, action, object);
const readableOf = (subject: Subject, rows: readonly Row[]): string[] =>
  rows.filter(({ object }) => may(subject, 'read', object)).map(byId);
const knowsOrganization = (subject: Subject, organizationId: string, type: string): boolean =>
  may(subject, 'read', organizationObject(organizationId)) || may(subject, 'read', { type, organizationId });

/** What a list answers to a caller, beside what the row-by-row decision says. */
type Compared = (
  subject: Subject,
  caller: Caller,
) => Promise<{ readonly listed: readonly string[]; readonly decided: readonly string[] }[]>;

const LISTS: Readonly<Record<string, Compared>> = {
  'users.list': async (subject, caller) => [
    {
      listed: (await caller.users.list({ limit: 1000 })).users.map(byId),
      decided: readableOf(
        subject,
        world.users.map(({ id }) => ({ id, object: userObject(id) })),
      ),
    },
  ],
  'organizations.list': async (subject, caller) => [
    {
      listed: (await caller.organizations.list({})).map(byId),
      decided: readableOf(
        subject,
        world.organizations.map(({ id }) => ({ id, object: organizationObject(id) })),
      ),
    },
  ],
  'users.organizations': (subject, caller) =>
    Promise.all(
      world.users.map(async (user) => ({
        listed: await idsOf(caller.users.organizations({ user: user.id }), byId),
        decided: may(subject, 'read', userObject(user.id))
          ? readableOf(
              subject,
              world.members
                .filter(({ userId }) => userId === user.id)
                .map(({ organizationId: id }) => ({ id, object: organizationObject(id) })),
            )
          : [],
      })),
    ),
  'members.list': (subject, caller) =>
    Promise.all(
      world.organizationIds.map(async (organizationId) => ({
        listed: await idsOf(caller.members.list({ organization: organizationId }), (member) => member.user_id),
        decided: knowsOrganization(subject, organizationId, 'organization_member')
          ? readableOf(
              subject,
              world.members
                .filter((member) => member.organizationId === organizationId)
                .map((member) => ({ id: member.userId, object: organizationMemberObject(member) })),
            )
          : [],
      })),
    ),
  'groups.list': async (subject, caller) => {
    const listed = await caller.groups.list({});
    return [
      {
        listed: listed.map(byId),
        decided: readableOf(
          subject,
          world.groups.map((group) => ({ id: group.id, object: groupObject(group) })),
        ),
      },
      ...listed.map((group) => ({ listed: group.members.map(byId), decided: readableOf(subject, membersOf(group.id)) })),
    ];
  },
  'groups.listByOrganization': (subject, caller) =>
    Promise.all(
      world.organizationIds.map(async (organizationId) => ({
        listed: await idsOf(caller.groups.listByOrganization({ organization: organizationId }), byId),
        decided: knowsOrganization(subject, organizationId, 'group')
          ? readableOf(
              subject,
              world.groups
                .filter((group) => group.organizationId === organizationId)
                .map((group) => ({ id: group.id, object: groupObject(group) })),
            )
          : [],
      })),
    ),
  'templates.list': async (subject, caller) => [
    { listed: (await caller.templates.list({})).map(byId), decided: readableOf(subject, world.templates) },
  ],
  'templates.listByOrganization': (subject, caller) =>
    Promise.all(
      world.organizationIds.map(async (organizationId) => ({
        listed: await idsOf(caller.templates.listByOrganization({ organization: organizationId }), byId),
        decided: may(subject, 'read', organizationObject(organizationId))
          ? readableOf(
              subject,
              world.templates.filter((template) => template.organizationId === organizationId),
            )
          : [],
      })),
    ),
  'templateVersions.list': async (subject, caller) => [
    {
      listed: (await Promise.all(world.templates.map(({ id }) => idsOf(caller.templateVersions.list({ template: id }), byId)))).flat(),
      decided: readableOf(
        subject,
        world.versions.flatMap(({ id, templateId }) => {
          const template = world.templates.find((one) => one.id === templateId);
          return template === undefined ? [] : [{ id, object: template.object }];
        }),
      ),
    },
  ],
  'workspaces.list': async (subject, caller) => [
    { listed: (await caller.workspaces.list({})).workspaces.map(byId), decided: readableOf(subject, world.workspaces) },
  ],
  'builds.list': async (subject, caller) => [
    {
      listed: (await Promise.all(world.workspaces.map(({ id }) => idsOf(caller.builds.list({ workspace: id }), byId)))).flat(),
      decided: readableOf(
        subject,
        world.builds.flatMap(({ id, workspaceId }) => {
          const workspace = world.workspaces.find((one) => one.id === workspaceId);
          return workspace === undefined ? [] : [{ id, object: workspace.object }];
        }),
      ),
    },
  ],
  'audit.list': async (subject, caller) => [
    { listed: (await caller.audit.list({ limit: 100 })).audit_logs.map(byId), decided: readableOf(subject, auditRows()) },
  ],
  'audit.page': async (subject, caller) => [
    { listed: (await caller.audit.page({ limit: 100 })).audit_logs.map(byId), decided: readableOf(subject, auditRows()) },
  ],
  'tokens.list': async (subject, caller) => [
    {
      listed: await idsOf(caller.tokens.list({ user: 'me', include_all: true }), byId),
      decided: may(subject, 'read', userObject(subject.id))
        ? readableOf(
            subject,
            keyRows(({ loginType }) => loginType === 'token'),
          )
        : [],
    },
  ],
  'tokens.listSessions': (subject, caller) =>
    Promise.all(
      world.users.map(async (user) => ({
        listed: await idsOf(caller.tokens.listSessions({ user: user.id }), byId),
        decided: may(subject, 'read', userObject(user.id))
          ? readableOf(
              subject,
              keyRows(({ userId }) => userId === user.id),
            )
          : [],
      })),
    ),
  'oauth2Apps.list': async (subject, caller) => [
    {
      listed: await idsOf(caller.oauth2Apps.list({}), byId),
      decided: readableOf(
        subject,
        world.apps.map(({ id }) => ({ id, object: { type: 'oauth2_app' } })),
      ),
    },
  ],
  'roles.listOrganization': (subject, caller) =>
    Promise.all(
      world.organizationIds.map(async (organizationId) => ({
        listed: (await idsOf(caller.roles.listOrganization({ organization: organizationId }), () => organizationId)).slice(0, 1),
        decided: readableOf(subject, [{ id: organizationId, object: { type: 'assign_org_role', organizationId } }]),
      })),
    ),
};

function auditRows(): Row[] {
  return world.audit.map(({ id, organizationId }) => ({ id, object: auditLogObject(organizationId) }));
}

function keyRows(wanted: (key: (typeof world.keys)[number]) => boolean): Row[] {
  return world.keys.filter(wanted).map((key) => ({ id: key.id, object: apiKeyObject(key) }));
}

/** Everyone holds the members of its organization. */
function membersOf(groupId: string): Row[] {
  const group = world.groups.find(({ id }) => id === groupId);
  if (group === undefined) return [];
  const { organizationId } = group;
  const members = groupId === organizationId ? world.members.filter((member) => member.organizationId === organizationId) : group.members;
  return members.map(({ userId }) => ({ id: userId, object: groupMemberObject({ userId, organizationId }) }));
}

describe('a list answers exactly the rows that the decision, asked row by row, allows:', () => {
  it.each(Object.entries(LISTS))('%s', async (_, compare) => {
    await fc.assert(
      fc.asyncProperty(subjects, async (subject) => {
        for (const { listed, decided } of await compare(subject, callerOf(subject))) {
          expect(listed.toSorted(), `world ${seed}`).toEqual([...decided].toSorted());
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Lists that are decided as one, by what they belong to: all of it or a refusal, which the matrix of roles and operations holds. */
const DECIDED_AS_ONE: readonly string[] = [
  'agents.logs',
  'builds.listStates',
  'builds.logs',
  'builds.parameters',
  'debug.derpTraffic',
  'general.experiments',
  'general.safeExperiments',
  'externalAuth.setup',
  'identities.list',
  'idpSync.availableFields',
  'idpSync.organizationFields',
  'licenses.list',
  'oauth2.grants',
  'oauth2Apps.listSecrets',
  'provisionerDaemons.list',
  'provisionerDaemons.queue',
  'provisionerKeys.list',
  'provisionerKeys.listDaemons',
  'quietHours.get',
  'replicas.list',
  'roles.listSite',
  'savedSearches.list',
  'templateVersions.dryRunLogs',
  'templateVersions.dryRunResources',
  'templateVersions.externalAuth',
  'templateVersions.listByName',
  'templateVersions.logs',
  'templateVersions.resources',
  'templateVersions.richParameters',
  'templateVersions.variables',
  'templates.aclAvailable',
  'templates.aclUsers',
  'templates.examples',
  'templates.examplesByOrganization',
  'users.autofillParameters',
  'workspaceProxies.list',
  'workspaceShares.list',
  'workspaceShares.received',
];

it('every list of the router is held against the decision, or decided as one', () => {
  const lists = procedureFacts().filter(({ type, procedure }) => type === 'query' && isList(Reflect.get(procedure._def, 'output')));
  expect(lists.map(({ path }) => path).toSorted()).toEqual([...Object.keys(LISTS), ...DECIDED_AS_ONE].toSorted());
});

/** A bare array, or a page: an array beside the count of all. */
function isList(output: unknown): boolean {
  if (output instanceof z.ZodArray) return true;
  return output instanceof z.ZodObject && 'count' in output.shape;
}
