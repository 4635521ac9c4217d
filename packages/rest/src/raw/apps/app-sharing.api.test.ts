import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { authChannel, workspaceChannel } from '@berth/api/server';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { ask, echoed, openEcho, startApp, workspaceWithApps } from '../../testing/apps.ts';
import { createTestServer } from '../../testing/index.ts';
import { listen } from '../../testing/live.ts';

const server = await createTestServer();
const { prisma, bus, clock, callAsUser, keyOf } = server;
const { url, port } = await listen(server);
const { port: appPort } = await startApp();
/** Sends its head and a first line, then stays open. */
const { port: streamPort } = await startApp((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: ahoy\n\n');
});
const rows = given(prisma);
const siteOwner = await rows.user({ siteRoles: ['owner'] });
/** News take a moment, on a busy machine some. */
const SOON = { timeout: 20_000 };
/** Before everything that the test's clock says. */
const earlier = (): Date => new Date(clock.now().getTime() - 3_600_000);
const local = (listening: number) => `http://localhost:${listening}`;

async function shared() {
  const made = await workspaceWithApps(server, {
    url,
    apps: [
      { slug: 'own', subdomain: true, url: local(appPort) },
      { slug: 'all', subdomain: true, sharingLevel: 'authenticated', url: local(appPort) },
      { slug: 'pub', subdomain: true, sharingLevel: 'public', url: local(appPort) },
      { slug: 'path', sharingLevel: 'public', url: local(appPort) },
      { slug: 'stream', subdomain: true, sharingLevel: 'public', url: local(streamPort) },
    ],
  });
  const member = await rows.user({ memberOf: [made.organization.id] });
  const stranger = await rows.user();
  const narrow = (name: string, scope: 'read_only' | 'application_connect') =>
    callAsUser(member.id).tokens.create({ user: 'me', scope, token_name: name });
  const keys: Record<string, string | undefined> = {
    nobody: undefined,
    owner: made.key,
    siteOwner: await keyOf(siteOwner.id),
    member: await keyOf(member.id),
    stranger: await keyOf(stranger.id),
    reader: (await narrow('reader', 'read_only')).key,
    opener: (await narrow('opener', 'application_connect')).key,
    agent: (await rows.agent({ jobId: made.job.id, name: 'second' })).token,
  };
  const statuses = async (host: string, path = '/', names = Object.keys(keys)): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (const name of names) {
      const key = keys[name];
      found[name] = (await ask({ port, host, path, headers: key === undefined ? {} : { 'service-session-token': key } })).status;
    }
    return found;
  };
  return { ...made, member, stranger, keys, statuses };
}

const OWN = { nobody: 401, owner: 201, siteOwner: 201, member: 404, stranger: 404, reader: 404, opener: 404, agent: 404 };
const AUTHENTICATED = { ...OWN, member: 201, stranger: 201, opener: 201 };
const PUBLIC = { nobody: 201, owner: 201, siteOwner: 201, member: 201, stranger: 201, reader: 201, opener: 201, agent: 201 };

describe('an app on a host of its own', () => {
  it('opens for whom its sharing level says, and is not there for anybody else', async () => {
    const { hostOf, statuses } = await shared();
    expect(await statuses(hostOf('own'))).toEqual(OWN);
    expect(await statuses(hostOf('all'))).toEqual(AUTHENTICATED);
    expect(await statuses(hostOf('pub'))).toEqual(PUBLIC);
    // An app with a path has a host, too, where its level counts.
    expect(await statuses(hostOf('path'))).toEqual(PUBLIC);
    expect(await statuses(hostOf('nothing'))).toEqual({ ...OWN, owner: 404, siteOwner: 404 });
  });

  it('says the same of an app that is not there and of one that is somebody else’s', async () => {
    const { hostOf, keys } = await shared();
    const answers = await Promise.all(
      ['own', 'nothing'].map((slug) => ask({ port, host: hostOf(slug), headers: { 'service-session-token': keys['member'] ?? '' } })),
    );
    expect(answers[0]?.body).toBe(answers[1]?.body);
  });

  it('shares nothing in the name of an account that is suspended', async () => {
    const { hostOf, owner, statuses } = await shared();
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
    await bus.publish(prisma, authChannel, { user_id: owner.id });
    const others = () => statuses(hostOf('pub'), '/', ['nobody', 'owner', 'member', 'stranger']);
    await expect.poll(others, SOON).toEqual({ nobody: 401, owner: 401, member: 404, stranger: 404 });
  });

  it('is closed to whoever leaves the organization of their own workspace', async () => {
    const { hostOf, owner, organization, statuses } = await shared();
    await prisma.organizationMember.deleteMany({ where: { userId: owner.id, organizationId: organization.id } });
    await bus.publish(prisma, authChannel, { user_id: owner.id });
    await expect.poll(async () => (await statuses(hostOf('own')))['owner'], SOON).toBe(404);
  });
});

describe('an app below a path', () => {
  it('is its owner’s alone, whatever its level, since it shares its origin with the dashboard', async () => {
    const { pathOf, statuses } = await shared();
    expect(await statuses('berth.test', pathOf('path'))).toEqual({ ...OWN, siteOwner: 404 });
  });

  it('is not the way to an app that has a host of its own', async () => {
    const { pathOf, keys } = await shared();
    const headers = { 'service-session-token': keys['owner'] ?? '' };
    expect((await ask({ port, host: 'berth.test', path: pathOf('own'), headers })).status).toBe(404);
  });

  it.each([
    [
      'nobody, when they are off',
      { isEnabled: false, allowsSharing: true, allowsSiteOwners: true },
      { owner: 403, siteOwner: 403, stranger: 403 },
    ],
    [
      'as its level says, when that is allowed',
      { isEnabled: true, allowsSharing: true, allowsSiteOwners: false },
      { owner: 201, siteOwner: 201, stranger: 201 },
    ],
    [
      'owners of the site, when that is allowed',
      { isEnabled: true, allowsSharing: false, allowsSiteOwners: true },
      { owner: 201, siteOwner: 201, stranger: 404 },
    ],
  ] as const)('opens for %s', async (_, pathApps, expected) => {
    const other = await createTestServer({ settings: { pathApps } });
    const listening = await listen(other);
    const made = await workspaceWithApps(other, {
      url: listening.url,
      apps: [{ slug: 'path', sharingLevel: 'authenticated', url: local(appPort) }],
    });
    const there = given(other.prisma);
    const keys = {
      owner: made.key,
      siteOwner: await other.keyOf((await there.user({ siteRoles: ['owner'] })).id),
      stranger: await other.keyOf((await there.user()).id),
    };
    const found: Record<string, number> = {};
    for (const [name, key] of Object.entries(keys)) {
      const question = { port: listening.port, host: 'berth.test', path: made.pathOf('path'), headers: { 'service-session-token': key } };
      found[name] = (await ask(question)).status;
    }
    expect(found).toEqual(expected);
  });
});

describe('a port', () => {
  it('is its owner’s alone until it is shared, and then open as far as the share says and the template allows', async () => {
    const { hostOf, owner, agent, template, workspace, statuses } = await shared();
    const share = (share_level: 'authenticated' | 'public') =>
      callAsUser(owner.id).portShares.upsert({ workspace: workspace.id, agent_name: agent.name, port: appPort, share_level });
    expect(await statuses(hostOf(appPort))).toEqual(OWN);
    await share('authenticated');
    expect(await statuses(hostOf(appPort))).toEqual(AUTHENTICATED);
    await share('public');
    expect(await statuses(hostOf(appPort))).toEqual(PUBLIC);
    await prisma.template.update({ where: { id: template.id }, data: { maxPortShareLevel: 'authenticated' } });
    expect(await statuses(hostOf(appPort))).toEqual(AUTHENTICATED);
    await callAsUser(owner.id).portShares.delete({ workspace: workspace.id, agent_name: agent.name, port: appPort });
    expect(await statuses(hostOf(appPort))).toEqual(OWN);
  });

  it('is not open because another port, or the same one of another agent, is shared', async () => {
    const { hostOf, workspace, agent, statuses } = await shared();
    await rows.portShare({ workspaceId: workspace.id, agentName: agent.name, port: appPort + 1 });
    await rows.portShare({ workspaceId: workspace.id, agentName: 'second', port: appPort });
    expect(await statuses(hostOf(appPort))).toEqual(OWN);
  });
});

describe('a share with an end', () => {
  it('opens the apps that it names for the people that it names, until then, and no ports', async () => {
    const { hostOf, workspace, member, statuses } = await shared();
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    await rows.share({ workspaceId: workspace.id, access: 'apps', appSlug: 'own', userId: member.id, createdAt: earlier(), expiresAt });
    const LET_IN = { ...OWN, member: 201, opener: 201 };
    expect(await statuses(hostOf('own'))).toEqual(LET_IN);
    expect(await statuses(hostOf(appPort))).toEqual(OWN);
    expect((await prisma.workspaceShare.findFirstOrThrow({ where: { workspaceId: workspace.id } })).lastUsedAt).not.toBeNull();
    await prisma.workspaceShare.updateMany({
      where: { workspaceId: workspace.id },
      data: { expiresAt: new Date(clock.now().getTime() - 1) },
    });
    expect(await statuses(hostOf('own'))).toEqual(OWN);
  });

  it('opens no app below a path', async () => {
    const { pathOf, workspace, member, statuses } = await shared();
    await rows.share({ workspaceId: workspace.id, access: 'apps', userId: member.id, createdAt: earlier() });
    expect(await statuses('berth.test', pathOf('path'))).toEqual({ ...OWN, siteOwner: 404 });
  });
});

describe('a connection that is open', () => {
  type Shared = Awaited<ReturnType<typeof shared>>;
  const endings: [what: string, who: string, slug: (made: Shared) => string, end: (made: Shared) => Promise<unknown>][] = [
    [
      'the visitor is suspended',
      'member',
      () => 'all',
      async ({ member }) => {
        await prisma.user.update({ where: { id: member.id }, data: { status: 'suspended' } });
        await bus.publish(prisma, authChannel, { user_id: member.id });
      },
    ],
    [
      'the app is not public any more',
      'nobody',
      () => 'pub',
      async ({ agent, workspace, owner }) => {
        await prisma.workspaceApp.updateMany({ where: { agentId: agent.id, slug: 'pub' }, data: { sharingLevel: 'owner' } });
        await bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: owner.id, kind: 'test' });
      },
    ],
    [
      'the port is not shared any more',
      'nobody',
      () => String(appPort),
      ({ owner, workspace, agent }) =>
        callAsUser(owner.id).portShares.delete({ workspace: workspace.id, agent_name: agent.name, port: appPort }),
    ],
    [
      'the workspace is built anew',
      'owner',
      () => 'own',
      async ({ workspace, version, owner }) => {
        await rows.build({ workspace, templateVersionId: version.id });
        await bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: owner.id, kind: 'test' });
      },
    ],
    [
      'the workspace is deleted',
      'nobody',
      () => 'pub',
      async ({ workspace, owner }) => {
        await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
        await bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: owner.id, kind: 'test' });
      },
    ],
    [
      'the time of the share is over, without any news',
      'stranger',
      () => 'own',
      // It was let in by a share that lasts another moment.
      () => Promise.resolve(),
    ],
  ];

  it.each(endings)('ends at once when %s', async (what, who, slugOf, end) => {
    const made = await shared();
    await rows.portShare({ workspaceId: made.workspace.id, agentName: made.agent.name, port: appPort });
    if (what.includes('share is over')) {
      await prisma.organizationMember.create({ data: { userId: made.stranger.id, organizationId: made.organization.id } });
      await bus.publish(prisma, authChannel, { user_id: made.stranger.id });
      const expiresAt = new Date(clock.now().getTime() + 1500);
      await rows.share({ workspaceId: made.workspace.id, access: 'apps', userId: made.stranger.id, createdAt: earlier(), expiresAt });
    }
    const key = made.keys[who];
    const headers: Record<string, string> = key === undefined ? {} : { 'service-session-token': key };
    const socket = await openEcho({ port, host: made.hostOf(slugOf(made)), headers });
    expect(await echoed(socket, 'ahoy')).toBe('ahoy');
    const closed = once(socket, 'close');
    await end(made);
    await closed;
  });

  it('ends with a download that is still on its way, too', async () => {
    const made = await shared();
    const download = httpRequest({ host: '127.0.0.1', port, headers: { host: made.hostOf('stream') } }).end();
    const [response] = await once(download, 'response');
    response.on('error', () => undefined);
    await once(response, 'data');
    const ended = new Promise((resolve) => response.once('close', resolve));
    // What is short is not watched; by now it counts as long, whatever the machine is busy with.
    await prisma.workspaceApp.updateMany({ where: { agentId: made.agent.id }, data: { sharingLevel: 'owner' } });
    await bus.publish(prisma, workspaceChannel, { workspace_id: made.workspace.id, owner_id: made.owner.id, kind: 'test' });
    await ended;
    expect(response.complete).toBe(false);
  });
});
