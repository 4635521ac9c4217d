import { newId } from '@berth/core';
import { parseWildcardHost } from '@berth/domain';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { ACTIVE_SHARES_MAX, SHARE_SECONDS_MAX } from './contract.ts';
import { endExpiredShares } from './end-expired.ts';

const { prisma, clock, services, callAs, callAsUser, countStatements } = await createTestApi({
  wildcardHost: parseWildcardHost('*.apps.berth.test:8443'),
});
const rows = given(prisma);
const organization = await rows.organization();
const url = 'http://localhost:3000';
const apps = [
  { slug: 'web', subdomain: true, url },
  { slug: 'docs', subdomain: true, url },
  { slug: 'hid', subdomain: true, hidden: true, url },
  { slug: 'path', subdomain: false, url },
  { slug: 'desktop', external: true, url: 'ssh://example.com' },
  { slug: 'command', command: 'top', url: '' },
];

async function made() {
  const { workspace, owner, job } = await rows.workspace({ organization });
  const { agent } = await rows.agent({ jobId: job.id, apps, connected: clock.now() });
  const friend = await rows.user({ memberOf: [organization.id] });
  const shares = (userId = owner.id) => callAsUser(userId).workspaceShares;
  const give = (more: Partial<Parameters<ReturnType<typeof shares>['create']>[0]> = {}, by = owner.id) =>
    shares(by).create({ workspace: workspace.id, access: 'terminal', user: friend.id, duration_seconds: 3600, ...more });
  return { workspace, owner, agent, friend, shares, give };
}
type Made = Awaited<ReturnType<typeof made>>;

const refusedAt = (field: string) => ({ code: 'BAD_REQUEST', cause: { validations: [expect.objectContaining({ field })] } });
const recordsOf = ({ workspace }: Made) =>
  prisma.auditLog.findMany({ where: { resourceId: workspace.id }, orderBy: [{ time: 'asc' }, { id: 'asc' }] });

describe('a share', () => {
  it('is made for a member of the organization by name or id, or for a group, seen by the owner and by the recipient', async () => {
    const here = await made();
    const { workspace, friend, owner, agent } = here;
    const group = await rows.group({ organizationId: organization.id, memberIds: [friend.id, owner.id] });
    const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const byName = await here.give({ user: friend.username.toUpperCase(), agent_name: agent.name });
    expect(byName).toEqual({
      id: expect.any(String),
      workspace_id: workspace.id,
      access: 'terminal',
      recipient: { type: 'user', id: friend.id, name: friend.username, display_name: friend.name, avatar_url: friend.avatarUrl },
      agent_name: agent.name,
      app_slug: '',
      terminal_id: null,
      created_by: { id: owner.id, username: owner.username, avatar_url: owner.avatarUrl },
      created_at: clock.now().toISOString(),
      expires_at: expiresAt,
      ended_at: null,
      status: 'active',
      last_used_at: null,
    });
    clock.advance(1000);
    const toGroup = await here.give({ user: undefined, group_id: group.id, access: 'apps', app_slug: 'web', duration_seconds: 60 });
    expect(toGroup.recipient).toMatchObject({ type: 'group', id: group.id, name: group.name });
    expect(await here.shares().list({ workspace: workspace.id })).toEqual({ shares: [toGroup, byName], count: 2 });
    expect(await here.shares().list({ workspace: workspace.id, limit: 1, offset: 1 })).toEqual({ shares: [byName], count: 2 });
    const received = await here.shares(friend.id).received({ user: 'me' });
    expect(received).toMatchObject({
      count: 2,
      shares: [
        {
          id: toGroup.id,
          access: 'apps',
          group: { id: group.id, name: group.name },
          workspace: { id: workspace.id, name: workspace.name, owner_id: owner.id, owner_name: owner.username },
          agents: [
            {
              id: agent.id,
              name: agent.name,
              is_connected: true,
              apps: [
                { slug: 'web', url: `http://web--${agent.name}--${workspace.name}--${owner.username}.apps.berth.test:8443/`.toLowerCase() },
              ],
            },
          ],
        },
        { id: byName.id, group: null, agents: [{ id: agent.id, apps: [] }], expires_at: expect.stringContaining(expiresAt.slice(0, 19)) },
      ],
    });
    // Of what one shares oneself nothing is received, as a member of the group neither.
    expect(await here.shares().received({ user: 'me' })).toEqual({ shares: [], count: 0 });
  });

  it('of every app shows those that open in a browser and are no secret; of one, that one', async () => {
    const here = await made();
    await here.give({ access: 'apps' });
    const slugs = async () =>
      (await here.shares(here.friend.id).received({ user: 'me' })).shares.map(({ agents }) => agents[0]?.apps.map(({ slug }) => slug));
    expect(await slugs()).toEqual([['web', 'docs', 'path']]);
    await here.give({ access: 'apps', app_slug: 'HID', duration_seconds: 7200 });
    expect(await slugs()).toEqual([['web', 'docs', 'path'], ['hid']]);
  });

  it('is recorded with its recipient and its end when it is made and taken back, and so are refused attempts', async () => {
    const here = await made();
    const share = await here.give();
    await here.shares().delete({ workspace: here.workspace.id, share: share.id });
    await here.shares().delete({ workspace: here.workspace.id, share: share.id });
    await expect(here.give({ user: here.owner.id })).rejects.toMatchObject(refusedAt('user'));
    const facts = { share_id: share.id, recipient_name: here.friend.username, recipient_type: 'user', expires_at: share.expires_at };
    expect((await recordsOf(here)).map(({ statusCode, userId, additionalFields }) => [statusCode, userId, additionalFields])).toMatchObject(
      [
        [201, here.owner.id, { share: 'created', access: 'terminal', ...facts }],
        [204, here.owner.id, { share: 'taken_back', ...facts }],
        [400, here.owner.id, { share: 'created', access: 'terminal', user: here.owner.id }],
      ],
    );
  });

  it('ends when it is taken back, and says so; another workspace’s is not there', async () => {
    const here = await made();
    const share = await here.give();
    const other = await made();
    await expect(other.shares().delete({ workspace: other.workspace.id, share: share.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await here.shares().delete({ workspace: here.workspace.id, share: share.id });
    expect((await here.shares().list({ workspace: here.workspace.id })).shares).toMatchObject([
      { id: share.id, status: 'ended', ended_at: clock.now().toISOString() },
    ]);
    expect(await here.shares().list({ workspace: here.workspace.id, active: true })).toEqual({ shares: [], count: 0 });
    expect(await here.shares(here.friend.id).received({ user: 'me' })).toEqual({ shares: [], count: 0 });
  });

  it('is over at its time, whether or not it is noted; the note is made once, by the system, on all servers together', async () => {
    const here = await made();
    const share = await here.give({ duration_seconds: 60 });
    const longer = await here.give({ duration_seconds: 3600 });
    clock.advance(60_000);
    const listed = async () => (await here.shares().list({ workspace: here.workspace.id })).shares.find(({ id }) => id === share.id);
    expect(await listed()).toMatchObject({ status: 'expired', ended_at: null });
    expect((await here.shares(here.friend.id).received({ user: 'me' })).shares).toMatchObject([{ id: longer.id }]);
    await Promise.all([endExpiredShares(services), endExpiredShares(services)]);
    expect(await endExpiredShares(services)).toBe(false);
    expect(await listed()).toMatchObject({ status: 'expired', ended_at: share.expires_at });
    const notes = (await recordsOf(here)).filter(({ userId }) => userId === null);
    expect(notes).toMatchObject([
      {
        statusCode: 200,
        organizationId: organization.id,
        additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'sharing', share: 'expired', share_id: share.id },
      },
    ]);
  });

  it('of a workspace that is deleted is over', async () => {
    const here = await made();
    await here.give();
    await prisma.workspace.update({ where: { id: here.workspace.id }, data: { deleted: true } });
    expect(await here.shares(here.friend.id).received({ user: 'me' })).toEqual({ shares: [], count: 0 });
    await expect(here.shares().list({ workspace: here.workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(here.give()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('sharing is refused', () => {
  it('with anyone outside the organization, who is suspended, or owns it, and with groups of elsewhere or unreadable ones', async () => {
    const here = await made();
    const stranger = await rows.user();
    const suspended = await rows.user({ memberOf: [organization.id], status: 'suspended' });
    for (const user of [stranger.id, suspended.id, here.owner.id, here.owner.username, newId(), 'nobody', '%']) {
      await expect(here.give({ user }), user).rejects.toMatchObject(refusedAt('user'));
    }
    const elsewhere = await rows.group({ organizationId: (await rows.organization()).id, memberIds: [here.owner.id] });
    const unreadable = await rows.group({ organizationId: organization.id, memberIds: [here.friend.id] });
    for (const group_id of [elsewhere.id, unreadable.id, newId()]) {
      await expect(here.give({ user: undefined, group_id }), group_id).rejects.toMatchObject(refusedAt('group_id'));
    }
    await expect(here.give({ user: undefined })).rejects.toMatchObject(refusedAt('user'));
    await expect(here.give({ group_id: unreadable.id })).rejects.toMatchObject(refusedAt('user'));
  });

  it('of an agent, app or terminal that is not there or does not go with the access, and of an app that is none in a browser', async () => {
    const { give } = await made();
    await expect(give({ agent_name: 'other' })).rejects.toMatchObject(refusedAt('agent_name'));
    await expect(give({ access: 'apps', app_slug: 'nope' })).rejects.toMatchObject(refusedAt('app_slug'));
    for (const app_slug of ['desktop']) {
      await expect(give({ access: 'apps', app_slug })).rejects.toMatchObject(refusedAt('app_slug'));
    }
    await expect(give({ app_slug: 'web' })).rejects.toMatchObject(refusedAt('app_slug'));
    await expect(give({ terminal_id: newId() })).rejects.toMatchObject(refusedAt('terminal_id'));
    await expect(give({ access: 'terminal_view' })).rejects.toMatchObject(refusedAt('terminal_id'));
    await expect(give({ access: 'terminal_view', terminal_id: newId() })).resolves.toMatchObject({ access: 'terminal_view' });
  });

  it('for less than a minute or more than 30 days, and without one end', async () => {
    const { give } = await made();
    const at = (seconds: number) => ({
      duration_seconds: undefined,
      expires_at: new Date(clock.now().getTime() + seconds * 1000).toISOString(),
    });
    for (const seconds of [-60, 59, SHARE_SECONDS_MAX + 1]) await expect(give(at(seconds))).rejects.toMatchObject(refusedAt('expires_at'));
    for (const duration_seconds of [0, 59, 60.5, SHARE_SECONDS_MAX + 1]) {
      await expect(give({ duration_seconds })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await expect(give({ duration_seconds: undefined })).rejects.toMatchObject(refusedAt('expires_at'));
    await expect(give({ ...at(60), duration_seconds: 60 })).rejects.toMatchObject(refusedAt('expires_at'));
    await expect(give(at(60))).resolves.toMatchObject({ status: 'active' });
    await expect(give(at(SHARE_SECONDS_MAX))).resolves.toMatchObject({ status: 'active' });
  });

  it('beyond a number at a time, however many ask at once', async () => {
    const { give, workspace, friend } = await made();
    const share = { workspaceId: workspace.id, access: 'terminal', userId: friend.id, createdById: workspace.ownerId };
    const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
    const times = { createdAt: at(-2), expiresAt: at(60) };
    await prisma.workspaceShare.createMany({
      data: Array.from({ length: ACTIVE_SHARES_MAX - 1 }, () => ({ id: newId(), ...share, ...times })),
    });
    await prisma.workspaceShare.create({ data: { id: newId(), ...share, ...times, expiresAt: at(-1) } });
    const attempts = await Promise.allSettled([give(), give(), give()]);
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
    await expect(give()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('to who may change the workspace but not enter it, and to recipients and strangers', async () => {
    const here = await made();
    const share = await here.give();
    const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    for (const access of ['terminal', 'apps'] as const) {
      await expect(here.give({ access }, admin.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    for (const user of [here.friend, await rows.user({ memberOf: [organization.id] })]) {
      await expect(here.give({ user: admin.id }, user.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(here.shares(user.id).list({ workspace: here.workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(here.shares(user.id).delete({ workspace: here.workspace.id, share: share.id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    // Ending one takes less than making one.
    await here.shares(admin.id).delete({ workspace: here.workspace.id, share: share.id });
    const siteOwner = await rows.user({ siteRoles: ['owner'] });
    await expect(here.give({}, siteOwner.id)).resolves.toMatchObject({ created_by: { id: siteOwner.id } });
  });

  it('of apps where the server has no domain for them, and lets nobody else in on paths', async () => {
    const bare = await createTestApi({ wildcardHost: null });
    const make = given(bare.prisma);
    const { workspace, owner, organization: home } = await make.workspace();
    const friend = await make.user({ memberOf: [home.id] });
    const give = bare
      .callAsUser(owner.id)
      .workspaceShares.create({ workspace: workspace.id, access: 'apps', user: friend.id, duration_seconds: 60 });
    await expect(give).rejects.toMatchObject(refusedAt('access'));
  });

  it('of an app with a domain of its own where there are only paths, and takes those with a path where the settings let others in', async () => {
    const bare = await createTestApi({ wildcardHost: null, pathApps: { isEnabled: true, allowsSharing: true, allowsSiteOwners: false } });
    const make = given(bare.prisma);
    const { workspace, owner, organization: home, job } = await make.workspace();
    const { agent } = await make.agent({ jobId: job.id, apps });
    const friend = await make.user({ memberOf: [home.id] });
    const give = (app_slug: string) =>
      bare.callAsUser(owner.id).workspaceShares.create({
        workspace: workspace.id,
        access: 'apps',
        app_slug,
        user: friend.id,
        duration_seconds: 60,
      });
    await expect(give('web')).rejects.toMatchObject(refusedAt('app_slug'));
    await give('path');
    const { shares } = await bare.callAsUser(friend.id).workspaceShares.received({ user: 'me' });
    const path = `/@${owner.username}/${workspace.name}.${agent.name}/apps/path/`;
    expect(shares[0]?.agents[0]?.apps).toMatchObject([{ slug: 'path', subdomain_name: '', url: `http://berth.test${path}` }]);
  });
});

describe('what others share with a user', () => {
  it('is shown to themself and to who may read what is personal to them', async () => {
    const here = await made();
    await here.give();
    const other = await rows.user({ memberOf: [organization.id] });
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    await expect(here.shares(other.id).received({ user: here.friend.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(here.shares(here.owner.id).received({ user: here.friend.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await here.shares(admin.id).received({ user: here.friend.username })).count).toBe(1);
  });

  it('and the shares of a workspace are read by as many statements, however many there are', async () => {
    const here = await made();
    const owner = callAs(await userPrincipal(prisma, here.owner.id)).workspaceShares;
    const friend = callAs(await userPrincipal(prisma, here.friend.id)).workspaceShares;
    const count = async () => [
      await countStatements(() => owner.list({ workspace: here.workspace.id })),
      await countStatements(() => friend.received({ user: 'me' })),
    ];
    await here.give();
    const few = await count();
    for (let index = 0; index < 5; index++) await here.give({ access: 'apps' });
    expect(await count()).toEqual(few);
  });
});
