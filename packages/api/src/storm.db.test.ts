import { given, uniqueName } from '@berth/testing';
import { expect, it } from 'vitest';
import { createTestApi, hashPasswordForTest } from './testing/index.ts';

const { prisma, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const elsewhere = await rows.organization();
const { template } = await rows.template({ organization });
const owner = await rows.user({ siteRoles: ['owner'] });
const admin = callAsUser(owner.id);
const anonymous = callAs({ kind: 'anonymous' });
const { scim } = callAs({ kind: 'scim' });
const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPasswordForTest(PASSWORD);
const ROUNDS = 6;

const app = await admin.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com' });
const [secret] = await admin.oauth2Apps.createSecret({ app: app.id });
const client = { client_id: app.id, client_secret: secret?.client_secret_full ?? '' };
const request = { client_id: app.id, response_type: 'code', state: 'state', scope: 'all', approve: true };

async function codeOf(userId: string): Promise<string> {
  const { redirect_url: url } = await callAsUser(userId).oauth2.approve(request);
  return new URL(url).searchParams.get('code') ?? '';
}

/** Everything that can happen to an account, for one that is in an organization and a group and has given an application access. */
async function everythingFor(userId: string, email: string): Promise<(() => Promise<unknown>)[]> {
  const group = await rows.group({ organizationId: organization.id });
  const role = await rows.role({ organizationId: organization.id });
  const siteRole = await rows.role();
  const first = await anonymous.oauth2.token({ ...client, grant_type: 'authorization_code', code: await codeOf(userId) });
  if (first.status !== 200) throw new Error('no access');
  const refresh_token = first.body.refresh_token;
  const code = await codeOf(userId);
  const device = await anonymous.oauth2.beginDevice(client);
  if (device.status !== 200) throw new Error('no device');
  const { device_code, user_code } = device.body;
  const user = callAsUser(userId);
  await user.oauth2.approveDevice({ user_code, approve: true });
  return [
    () => anonymous.auth.login({ email, password: PASSWORD }),
    () => user.tokens.create({ user: 'me' }),
    () => admin.tokens.create({ user: userId }),
    () => user.oauth2.approve(request),
    () => anonymous.oauth2.token({ ...client, grant_type: 'authorization_code', code }),
    () => anonymous.oauth2.token({ ...client, grant_type: 'refresh_token', refresh_token }),
    () => anonymous.oauth2.token({ ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }),
    () => admin.groups.update({ group: group.id, add_users: [userId] }),
    () => admin.members.add({ organization: elsewhere.id, user: userId }),
    () => admin.members.updateRoles({ organization: organization.id, user: userId, roles: [role.name] }),
    () => admin.members.remove({ organization: organization.id, user: userId }),
    () => admin.roles.deleteOrganization({ organization: organization.id, roleName: role.name }),
    () => admin.users.updateRoles({ user: userId, roles: [siteRole.name, 'auditor'] }),
    () => admin.roles.deleteSite({ roleName: siteRole.name }),
    () => admin.users.suspend({ user: userId }),
    () => scim.patchUser({ id: userId, resource: { active: false } }),
    () => admin.users.activate({ user: userId }),
    () => admin.users.updateProfile({ user: userId, name: 'Ada' }),
    () => admin.users.updatePassword({ user: userId, password: `${PASSWORD}!` }),
    () => user.gitSshKeys.regenerate({ user: 'me' }),
    () => user.workspaces.create({ user: 'me', name: uniqueName('ws'), template_id: template.id }),
    () => admin.tokens.deleteAll({ user: userId }),
    () => user.oauth2.revokeApp({ client_id: app.id }),
    () => admin.users.delete({ user: userId }),
  ];
}

it('of everything that happens to an account at the same time nothing fails, and a deleted account has nothing left', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await rows.user({ memberOf: [organization.id], passwordHash });
    const works = await everythingFor(user.id, user.email);
    // Another order in each round.
    const order = [...works.keys()].toSorted((a, b) => ((a * 7 + round * 5) % works.length) - ((b * 7 + round * 5) % works.length));
    const outcomes = await Promise.allSettled(order.map(async (index) => works[index]?.()));
    for (const outcome of outcomes) {
      // The callers' own accounts are read before the mutation begins, so that one that is gone is no fault of the mutation.
      if (outcome.status === 'fulfilled' || String(outcome.reason).includes(`no user ${user.id}`)) continue;
      expect(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', undefined], String(outcome.reason?.cause)).not.toContain(
        outcome.reason?.code,
      );
    }
    const { deleted } = await prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    const where = { userId: user.id };
    const memberships = await prisma.organizationMember.findMany({ where, select: { organizationId: true } });
    const groups = await prisma.groupMember.findMany({ where, select: { group: { select: { organizationId: true } } } });
    const joined = new Set(memberships.map(({ organizationId }) => organizationId));
    for (const { group } of groups) expect(joined).toContain(group.organizationId);
    if (!deleted) continue;
    expect(joined.size).toBe(0);
    expect(await prisma.workspace.count({ where: { ownerId: user.id, deleted: false } })).toBe(0);
    expect({
      keys: await prisma.apiKey.count({ where }),
      tokens: await prisma.oAuth2ProviderToken.count({ where }),
      codes: await prisma.oAuth2ProviderCode.count({ where }),
      devices: await prisma.oAuth2ProviderDeviceCode.count({ where }),
      sshKeys: await prisma.gitSshKey.count({ where }),
    }).toEqual({ keys: 0, tokens: 0, codes: 0, devices: 0, sshKeys: 0 });
  }
}, 60_000);
