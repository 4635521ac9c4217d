import { given, uniqueName } from '@berth/testing';
import { expect, it } from 'vitest';
import { ExternalAuthSettings } from './external-auth/settings.ts';
import { createTestApi } from './testing/index.ts';

const PROVIDERS = 20;
const providers = Array.from({ length: PROVIDERS }, (_, index) => ({
  id: `code-${index}`,
  type: 'github',
  client_id: 'client',
  client_secret: 'client-secret',
  authorize_url: 'http://127.0.0.1:1/login/oauth/authorize',
}));
const { prisma, services, callAsUser, callAs, countStatements, keyOf } = await createTestApi({
  externalAuth: ExternalAuthSettings.parse(providers),
});
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
const caller = callAsUser(owner.id);
const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });
const app = await caller.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com' });
const group = await rows.group({ organizationId: organization.id });
const { workspace } = await rows.workspace({ organization });

/** One more of everything that the lists show. */
async function more(index: number): Promise<void> {
  const role = await rows.role({ organizationId: organization.id });
  const siteRole = await rows.role();
  const person = await rows.user({
    siteRoles: [siteRole.name],
    memberOf: [{ organizationId: organization.id, roles: [role.name] }, standard.id],
  });
  await prisma.groupMember.create({ data: { groupId: group.id, userId: person.id } });
  await rows.group({ organizationId: organization.id, memberIds: [person.id, owner.id] });
  await rows.group({ organizationId: standard.id, source: 'oidc', memberIds: [person.id] });
  await rows.share({ workspaceId: workspace.id, userId: owner.id, createdById: owner.id });
  await rows.share({ workspaceId: workspace.id, groupId: group.id, createdById: owner.id });
  const elsewhere = await rows.organization();
  await prisma.organizationMember.create({ data: { organizationId: elsewhere.id, userId: owner.id, roles: [] } });
  await keyOf(owner.id);
  await caller.tokens.create({ user: 'me' });
  await rows.oauth2Grant({ userId: owner.id });
  await caller.oauth2Apps.createSecret({ app: app.id });
  await rows.identity({ userId: owner.id });
  const link = { userId: owner.id, providerId: `code-${index}` };
  const sealed = services.sealer.seal('a token', `external_auth_links.sealed_access_token:${owner.id}:${link.providerId}`);
  await caller.savedSearches.create({ user: 'me', page: 'workspaces', name: `Search ${index}`, address: '' });
  await prisma.externalAuthLink.create({ data: { ...link, sealedAccessToken: sealed, expiresAt: null } });
}

const scim = callAs({ kind: 'scim' }).scim;
const page = { startIndex: 1, count: 100 };
const lists: Readonly<Record<string, () => Promise<unknown>>> = {
  'members.list': () => caller.members.list({ organization: organization.id }),
  'roles.listSite': () => caller.roles.listSite({}),
  'roles.listOrganization': () => caller.roles.listOrganization({ organization: organization.id }),
  'groups.list': () => caller.groups.list({}),
  'groups.listByOrganization': () => caller.groups.listByOrganization({ organization: organization.id }),
  'groups.get': () => caller.groups.get({ group: group.id }),
  'users.list': () => caller.users.list({}),
  'users.roles': () => caller.users.roles({ user: 'me' }),
  'users.organizations': () => caller.users.organizations({ user: 'me' }),
  'organizations.list': () => caller.organizations.list({}),
  'tokens.list': () => caller.tokens.list({ user: 'me', include_all: true }),
  'tokens.listSessions': () => caller.tokens.listSessions({ user: 'me' }),
  'oauth2.grants': () => caller.oauth2.grants({}),
  'oauth2Apps.list': () => caller.oauth2Apps.list({}),
  'oauth2Apps.listSecrets': () => caller.oauth2Apps.listSecrets({ app: app.id }),
  'externalAuth.list': () => caller.externalAuth.list({}),
  'savedSearches.list': () => caller.savedSearches.list({ user: 'me' }),
  'identities.list': () => caller.identities.list({ user: 'me' }),
  'workspaceShares.list': () => caller.workspaceShares.list({ workspace: workspace.id }),
  'workspaceShares.received': () => caller.workspaceShares.received({ user: 'me' }),
  'scim.listUsers': () => scim.listUsers(page),
  'scim.listGroups': () => scim.listGroups(page),
};

/** The statements of each list, the caller's own lookup included. */
async function statements(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) counts[name] = await countStatements(list);
  return counts;
}

it('the lists of identity take as many statements for twenty rows as for one', async () => {
  await more(0);
  // The first statements of each connection are its own.
  await statements();
  const few = await statements();
  for (let index = 1; index < PROVIDERS; index++) await more(index);
  const many = await statements();
  expect(many).toEqual(few);
  for (const [name, count] of Object.entries(many)) expect(count, name).toBeLessThanOrEqual(10);
});
