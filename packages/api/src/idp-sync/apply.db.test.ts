import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { OidcProvider } from '../sign-on/settings.ts';
import { createTestApi } from '../testing/index.ts';
import { applyIdpSync, isGroupSynced, isOrganizationSynced, isRoleSynced } from './index.ts';
import type { SignInFacts } from './index.ts';
import { writeIdpSync } from './settings.ts';

const provider = OidcProvider.parse({
  type: 'oidc',
  issuer_url: 'https://id.example.com',
  client_id: 'berth',
  site_roles_claim: 'site',
  site_roles_mapping: { operators: ['template-admin'] },
  site_roles_default: ['auditor'],
});
const { prisma, services, callAsUser } = await createTestApi({
  signOn: { password_enabled: true, terms_of_service_url: '', providers: [provider] },
});
const rows = given(prisma);
const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });
const [crew, dock] = [await rows.organization(), await rows.organization()];
const sailors = await rows.group({ organizationId: crew.id });
const strangers = await rows.group({ organizationId: crew.id });
const elsewhere = await rows.group({ organizationId: dock.id });

await writeIdpSync(
  prisma,
  { kind: 'organization', organizationId: null },
  { field: 'orgs', mapping: { crew: [crew.id], ghosts: [newId()] }, organization_assign_default: true },
  services.clock.now(),
);
await writeIdpSync(
  prisma,
  { kind: 'groups', organizationId: crew.id },
  {
    field: 'groups',
    mapping: { sea: [sailors.id] },
    regex_filter: '^[a-z]+$',
    auto_create_missing_groups: true,
    legacy_group_name_mapping: {},
  },
  services.clock.now(),
);
await writeIdpSync(
  prisma,
  { kind: 'roles', organizationId: crew.id },
  { field: 'roles', mapping: { boss: ['organization-admin'] } },
  services.clock.now(),
);

/** Signs in as the sign-on procedure does: in one transaction. */
async function signIn(userId: string, claims: SignInFacts['claims'], providerId = 'oidc'): Promise<string[]> {
  const { audit } = { audit: undefined as never };
  const forgotten: (() => void)[] = [];
  const result = await prisma.$transaction((db) =>
    applyIdpSync({ db, services, audit, afterCommit: (run) => void forgotten.push(run) }, { userId, providerId, claims }),
  );
  for (const run of forgotten) run();
  return result.organizationIds;
}

async function placesOf(userId: string) {
  const user = await prisma.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      siteRoles: true,
      memberships: { select: { organizationId: true, roles: true } },
      groupMemberships: { select: { group: { select: { name: true } } } },
    },
  });
  return {
    siteRoles: user.siteRoles.toSorted(),
    organizations: Object.fromEntries(user.memberships.map(({ organizationId, roles }) => [organizationId, roles])),
    groups: user.groupMemberships.map(({ group }) => group.name).toSorted(),
  };
}

const auditOf = (userId: string) =>
  prisma.auditLog.findMany({
    where: { resourceId: userId },
    orderBy: { time: 'asc' },
    select: { resourceType: true, action: true, statusCode: true, userId: true, additionalFields: true, organizationId: true },
  });

const FULL = { orgs: ['crew', 'ghosts', 'unknown'], groups: ['sea', 'deckhands', 'N0PE'], roles: ['boss', 'nothing'], site: ['operators'] };

describe('a sign-in', () => {
  it('sets organizations, groups, roles and site roles exactly, and records each as a background change', async () => {
    const user = await rows.user({ memberOf: [dock.id], siteRoles: ['user-admin'], loginType: 'oidc' });
    await prisma.groupMember.createMany({ data: [strangers.id, elsewhere.id].map((groupId) => ({ groupId, userId: user.id })) });
    expect((await signIn(user.id, FULL)).toSorted()).toEqual([standard.id, crew.id].toSorted());
    expect(await placesOf(user.id)).toEqual({
      siteRoles: ['auditor', 'template-admin'],
      organizations: { [standard.id]: [], [crew.id]: ['organization-admin'] },
      groups: ['deckhands', sailors.name].toSorted(),
    });
    expect(await prisma.group.findFirstOrThrow({ where: { name: 'deckhands' } })).toMatchObject({
      source: 'oidc',
      organizationId: crew.id,
    });
    const written = await auditOf(user.id);
    expect(written.map(({ resourceType, action }) => `${resourceType} ${action}`).toSorted()).toEqual([
      'organization_member create',
      'organization_member create',
      'organization_member delete',
      'organization_member write',
      'user write',
    ]);
    expect(written.every((row) => row.userId === null && row.statusCode === 200)).toBe(true);
    expect(written[0]?.additionalFields).toMatchObject({ automatic_subsystem: 'idp_sync', provider: 'oidc' });
    expect(await prisma.auditLog.count({ where: { resourceId: sailors.id, resourceType: 'group', action: 'write' } })).toBe(1);
  });

  it('with the same claims again changes and records nothing', async () => {
    const user = await rows.user({ loginType: 'oidc' });
    await signIn(user.id, FULL);
    const [places, written] = [await placesOf(user.id), (await auditOf(user.id)).length];
    await signIn(user.id, FULL);
    expect(await placesOf(user.id)).toEqual(places);
    expect((await auditOf(user.id)).length).toBe(written);
  });

  it('with one claim that cannot be read keeps that part, changes the others, and records the problem', async () => {
    const user = await rows.user({ loginType: 'oidc' });
    await signIn(user.id, FULL);
    await signIn(user.id, { ...FULL, groups: 'sea,deckhands', roles: [] });
    expect(await placesOf(user.id)).toMatchObject({ organizations: { [crew.id]: [] }, groups: ['deckhands', sailors.name].toSorted() });
    expect((await auditOf(user.id)).at(-1)).toMatchObject({
      statusCode: 400,
      additionalFields: { problems: [{ kind: 'group', organization_id: crew.id, field: 'groups' }] },
    });
  });

  it('without the claims leaves only the default organization and the default roles', async () => {
    const user = await rows.user({ loginType: 'oidc' });
    await signIn(user.id, FULL);
    await signIn(user.id, {});
    expect(await placesOf(user.id)).toEqual({ siteRoles: ['auditor'], organizations: { [standard.id]: [] }, groups: [] });
  });

  it('never takes the owner role from the last active owner', async () => {
    const owner = await rows.user({ siteRoles: ['owner'], loginType: 'oidc' });
    await rows.user({ siteRoles: ['owner'], status: 'suspended' });
    await signIn(owner.id, FULL);
    expect((await placesOf(owner.id)).siteRoles).toContain('owner');
    await rows.user({ siteRoles: ['owner'] });
    await signIn(owner.id, FULL);
    expect((await placesOf(owner.id)).siteRoles).not.toContain('owner');
  });

  it('by a provider without a role claim leaves the site roles alone', async () => {
    const user = await rows.user({ siteRoles: ['user-admin'], loginType: 'codehost' });
    await signIn(user.id, FULL, 'codehost');
    expect((await placesOf(user.id)).siteRoles).toEqual(['user-admin']);
  });

  it('of many at the same time makes a missing group once', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => rows.user({ loginType: 'oidc' })));
    await Promise.all(users.map((user) => signIn(user.id, { ...FULL, groups: ['riggers'] })));
    const group = await prisma.group.findFirstOrThrow({ where: { name: 'riggers' }, select: { members: true } });
    expect(group.members.length).toBe(4);
  });

  it('whose sync fails goes on, undone, logged and recorded', async () => {
    const user = await rows.user({ loginType: 'oidc', memberOf: [dock.id] });
    await prisma.$executeRawUnsafe(
      `CREATE OR REPLACE FUNCTION broken() RETURNS trigger AS $$ BEGIN IF NEW.user_id = '${user.id}' THEN RAISE EXCEPTION 'broken'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql`,
    );
    await prisma.$executeRawUnsafe('CREATE TRIGGER broken BEFORE INSERT ON group_members FOR EACH ROW EXECUTE FUNCTION broken()');
    expect(await signIn(user.id, FULL)).toEqual([dock.id]);
    expect((await auditOf(user.id)).map(({ statusCode }) => statusCode)).toEqual([500]);
    await prisma.$executeRawUnsafe('DROP TRIGGER broken ON group_members');
  });

  it('ends at once what a removed right allowed', async () => {
    const user = await rows.user({ loginType: 'oidc' });
    await signIn(user.id, FULL);
    await expect(callAsUser(user.id).idpSync.groups({ organization: crew.id })).resolves.toMatchObject({ field: 'groups' });
    await signIn(user.id, {});
    await expect(callAsUser(user.id).idpSync.groups({ organization: crew.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is synced', () => {
  it('is known for the site and for each organization', async () => {
    expect(await isOrganizationSynced(prisma)).toBe(true);
    expect([await isGroupSynced(prisma, crew.id), await isGroupSynced(prisma, dock.id)]).toEqual([true, false]);
    expect([await isRoleSynced(prisma, crew.id), await isRoleSynced(prisma, dock.id)]).toEqual([true, false]);
  });
});
