import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { newId } from '@berth/core';
import type { PtyStream, Tunnel } from '@berth/protocol/tunnel';
import { TunnelError } from '@berth/protocol/tunnel';
import { limitedScope } from '@berth/rbac';
import type { Scope, ScopeName } from '@berth/rbac';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { openTerminal, requireTerminal } from '../agents/index.ts';
import { readSubject } from '../auth/subject-row.ts';
import { userCallFor } from '../kernel/procedures.ts';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { endExpiredShares } from './end-expired.ts';
import type { ShareDoor } from './index.ts';
import { noteUse, shareFor } from './index.ts';
import { tunnelStub } from '../testing/tunnel-stub.ts';

const { prisma, clock, services, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ siteRoles: ['owner'] });

async function made() {
  const { workspace, owner, job } = await rows.workspace({ organization });
  const { agent } = await rows.agent({ jobId: job.id, connected: clock.now() });
  const friend = await rows.user({ memberOf: [organization.id] });
  const place = { workspaceId: workspace.id, agentName: agent.name };
  const terminalId = newId();
  const doors = {
    terminal: { access: 'terminal', ...place },
    view: { access: 'terminal_view', ...place, terminalId },
    otherView: { access: 'terminal_view', ...place, terminalId: newId() },
    web: { access: 'apps', ...place, appSlug: 'web' },
    docs: { access: 'apps', ...place, appSlug: 'docs' },
    otherAgent: { access: 'terminal', ...place, agentName: 'other' },
  } satisfies Record<string, ShareDoor>;
  const lets = async (userId = friend.id, scope: ScopeName | Scope = 'all') => {
    const found = await readSubject(prisma, userId);
    if (found === null) return [];
    const open = [];
    for (const [name, door] of Object.entries(doors)) {
      if ((await shareFor(services, { ...found.subject, scope }, door)) !== null) open.push(name);
    }
    return open;
  };
  const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const give = (more: Partial<Parameters<typeof rows.share>[0]> = {}) =>
    rows.share({
      workspaceId: workspace.id,
      ...(more.groupId === undefined ? { userId: friend.id } : {}),
      createdAt: at(-10),
      expiresAt: at(3600),
      ...more,
    });
  return { workspace, owner, agent, friend, doors, terminalId, lets, give, at };
}

describe('a share', () => {
  it('opens what it names, for its recipient, and nothing else', async () => {
    const here = await made();
    const other = await rows.user({ memberOf: [organization.id] });
    expect(await here.lets()).toEqual([]);
    const cases = [
      [{ access: 'apps' }, ['web', 'docs']],
      [{ access: 'apps', appSlug: 'web' }, ['web']],
      [{ access: 'apps', agentName: 'other' }, []],
      [{ access: 'terminal' }, ['terminal', 'view', 'otherView', 'otherAgent']],
      [{ access: 'terminal', agentName: here.agent.name }, ['terminal', 'view', 'otherView']],
      [{ access: 'terminal_view', terminalId: here.terminalId }, ['view']],
    ] as const;
    for (const [share, opens] of cases) {
      const { id } = await here.give(share);
      expect(await here.lets(), JSON.stringify(share)).toEqual(opens);
      expect(await here.lets(other.id)).toEqual([]);
      await prisma.workspaceShare.delete({ where: { id } });
    }
  });

  it('is found by one statement', async () => {
    const here = await made();
    await here.give();
    const found = await readSubject(prisma, here.friend.id);
    if (found === null) throw new Error('no user');
    expect(await countStatements(() => shareFor(services, found.subject, here.doors.terminal))).toBe(1);
  });

  it('of a group lets in who is in it at that moment, and Everyone is everyone of the organization', async () => {
    const here = await made();
    const group = await rows.group({ organizationId: organization.id, memberIds: [here.friend.id, here.owner.id] });
    const share = await here.give({ groupId: group.id, access: 'apps', appSlug: 'web' });
    expect(await here.lets()).toEqual(['web']);
    await prisma.groupMember.delete({ where: { groupId_userId: { groupId: group.id, userId: here.friend.id } } });
    expect(await here.lets()).toEqual([]);
    await prisma.workspaceShare.delete({ where: { id: share.id } });
    const everyone = await prisma.group.upsert({
      where: { id: organization.id },
      create: { id: organization.id, organizationId: organization.id, name: 'Everyone' },
      update: {},
    });
    await here.give({ groupId: everyone.id, access: 'apps', appSlug: 'web' });
    expect(await here.lets()).toEqual(['web']);
    expect(await here.lets((await rows.user()).id)).toEqual([]);
  });

  it('lets nobody in when it is over, taken back, or one of those whom it needs is gone', async () => {
    const here = await made();
    const share = await here.give({ access: 'apps', appSlug: 'web' });
    const { id } = here.workspace;
    const user = (userId: string, data: Parameters<typeof prisma.user.update>[0]['data']) =>
      prisma.user.update({ where: { id: userId }, data });
    const member = { organizationId_userId: { userId: here.friend.id, organizationId: organization.id } };
    const changes = [
      [
        () => prisma.workspaceShare.update({ where: { id: share.id }, data: { endedAt: clock.now() } }),
        () => prisma.workspaceShare.update({ where: { id: share.id }, data: { endedAt: null } }),
      ],
      [
        () => prisma.workspaceShare.update({ where: { id: share.id }, data: { expiresAt: clock.now() } }),
        () => prisma.workspaceShare.update({ where: { id: share.id }, data: { expiresAt: here.at(60) } }),
      ],
      [
        () => prisma.workspace.update({ where: { id }, data: { dormantAt: clock.now() } }),
        () => prisma.workspace.update({ where: { id }, data: { dormantAt: null } }),
      ],
      [
        () => prisma.workspace.update({ where: { id }, data: { deleted: true } }),
        () => prisma.workspace.update({ where: { id }, data: { deleted: false } }),
      ],
      [() => user(here.friend.id, { status: 'suspended' }), () => user(here.friend.id, { status: 'active' })],
      [() => user(here.owner.id, { status: 'suspended' }), () => user(here.owner.id, { status: 'active' })],
      [() => user(here.owner.id, { deleted: true }), () => user(here.owner.id, { deleted: false })],
      [
        () => prisma.organizationMember.delete({ where: member }),
        () => prisma.organizationMember.create({ data: { userId: here.friend.id, organizationId: organization.id } }),
      ],
    ] as const;
    for (const [index, [undo, redo]] of changes.entries()) {
      expect(await here.lets(), String(index)).toEqual(['web']);
      await undo();
      expect(await here.lets(), String(index)).toEqual([]);
      await redo();
    }
    expect(await here.lets()).toEqual(['web']);
  });

  it('gives a credential no more than its scope does', async () => {
    const here = await made();
    await here.give();
    await here.give({ access: 'apps', appSlug: 'web' });
    const terminals = ['terminal', 'view', 'otherView', 'otherAgent'];
    expect(await here.lets(here.friend.id, 'all')).toEqual(['terminal', 'view', 'otherView', 'web', 'otherAgent']);
    expect(await here.lets(here.friend.id, 'application_connect')).toEqual(['web']);
    expect(await here.lets(here.friend.id, 'read_only')).toEqual([]);
    expect(await here.lets(here.friend.id, limitedScope(['workspace:read', 'workspace:update']))).toEqual([]);
    expect((await here.lets(here.friend.id, limitedScope(['workspace:ssh']))).toSorted()).toEqual(terminals.toSorted());
  });

  it('that is used is seen to be, by its time and in the audit log, once in a while', async () => {
    const here = await made();
    const share = await here.give();
    const open = {
      id: share.id,
      workspaceId: here.workspace.id,
      access: 'terminal',
      createdById: here.owner.id,
      expiresAt: share.expiresAt,
    } as const;
    const request = { requestId: newId(), ip: '192.0.2.7', userAgent: 'browser' };
    const use = (always = false) => noteUse(services, { share: open, userId: here.friend.id, request, always });
    const rowsOf = () => prisma.auditLog.findMany({ where: { resourceId: here.workspace.id } });
    await use();
    await use();
    expect(await rowsOf()).toMatchObject([
      {
        userId: here.friend.id,
        ip: '192.0.2.7',
        resourceType: 'workspace',
        action: 'login',
        additionalFields: { share: 'used', share_id: share.id },
      },
    ]);
    const { shares } = await callAsUser(here.owner.id).workspaceShares.list({ workspace: here.workspace.id });
    expect(shares).toMatchObject([{ last_used_at: clock.now().toISOString() }]);
    await use(true);
    clock.advance(10 * 60_000);
    await use();
    expect(await rowsOf()).toHaveLength(3);
  });
});

describe('a terminal that was opened by a share', () => {
  async function sshCall(userId: string) {
    const context = {
      services,
      authenticate: () => userPrincipal(prisma, userId),
      request: { requestId: newId(), ip: '', userAgent: '' },
      response: { setCookie: () => undefined },
    };
    return userCallFor(context, 'workspace:ssh');
  }

  function openStub({ signal }: { signal?: AbortSignal }): Promise<PtyStream> {
    const stream = new PassThrough();
    signal?.addEventListener('abort', () => stream.destroy());
    return Promise.resolve(stream as unknown as PtyStream);
  }

  async function opened(here: Awaited<ReturnType<typeof made>>, isReadOnly = false, openPty: Tunnel['openPty'] = openStub) {
    services.tunnels.add(here.agent.id, tunnelStub({ openPty }));
    const lost: true[] = [];
    const terminal = await openTerminal(await sshCall(here.friend.id), {
      agentId: here.agent.id,
      reconnect: here.terminalId,
      isReadOnly,
      width: 80,
      height: 24,
      command: '',
      signal: new AbortController().signal,
      onLost: () => lost.push(true),
    });
    return { terminal, lost, end: once(terminal, 'close') };
  }

  it('is refused without one, and to a viewer who would type or look at another', async () => {
    const here = await made();
    const ask = async (isReadOnly: boolean, reconnect = here.terminalId) =>
      requireTerminal(await sshCall(here.friend.id), { agentId: here.agent.id, reconnect, isReadOnly });
    await expect(ask(false)).rejects.toMatchObject({ kind: 'not_found' });
    await here.give({ access: 'terminal_view', terminalId: here.terminalId });
    await expect(ask(true)).resolves.toMatchObject({ agent: { id: here.agent.id } });
    await expect(ask(false)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(ask(true, newId())).rejects.toMatchObject({ kind: 'not_found' });
    await here.give({ access: 'apps' });
    await expect(ask(false)).rejects.toMatchObject({ kind: 'not_found' });
    await here.give();
    await expect(ask(false)).resolves.toMatchObject({ share: { access: 'terminal' } });
  });

  it('that is not there (any more) cannot be looked on at, which is final, unlike an agent that is away', async () => {
    const here = await made();
    await here.give({ access: 'terminal_view', terminalId: here.terminalId });
    const failing = (code: 'rejected' | 'closed') => () => Promise.reject(new TunnelError(code, 'no'));
    await expect(opened(here, true, failing('rejected'))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(opened(here, true, failing('closed'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is closed at once when the share is taken back, and told so', async () => {
    const here = await made();
    const share = await here.give();
    const { end, lost } = await opened(here);
    expect(await prisma.auditLog.count({ where: { resourceId: here.workspace.id, userId: here.friend.id } })).toBe(1);
    await callAsUser(here.owner.id).workspaceShares.delete({ workspace: here.workspace.id, share: share.id });
    await end;
    expect(lost).toEqual([true]);
  });

  it('is closed by its own timer when the time is over, though the clock has not moved and nobody noted it', async () => {
    const here = await made();
    await here.give({ expiresAt: new Date(clock.now().getTime() + 200) });
    const { end, lost } = await opened(here);
    await end;
    expect(lost).toEqual([true]);
  });

  it('goes on while another share lets its user in, and ends with the last', async () => {
    const here = await made();
    const group = await rows.group({ organizationId: organization.id, memberIds: [here.friend.id] });
    const first = await here.give({ access: 'terminal_view', terminalId: here.terminalId });
    const second = await here.give({ groupId: group.id, expiresAt: here.at(7200) });
    const { end, terminal } = await opened(here, true);
    const owner = callAsUser(here.owner.id).workspaceShares;
    await owner.delete({ workspace: here.workspace.id, share: second.id });
    clock.advance(3_500_000);
    await endExpiredShares(services);
    expect(terminal.destroyed).toBe(false);
    await owner.delete({ workspace: here.workspace.id, share: first.id });
    await end;
  });

  it('is closed when its user leaves the group or the organization, or somebody suspends them or who shared it', async () => {
    const leave = {
      group: (here: Awaited<ReturnType<typeof made>>, group: string) =>
        callAsUser(admin.id).groups.update({ group, remove_users: [here.friend.id] }),
      organization: (here: Awaited<ReturnType<typeof made>>) =>
        callAsUser(admin.id).members.remove({ organization: organization.id, user: here.friend.id }),
      account: (here: Awaited<ReturnType<typeof made>>) => callAsUser(admin.id).users.suspend({ user: here.friend.id }),
      owner: (here: Awaited<ReturnType<typeof made>>) => callAsUser(admin.id).users.suspend({ user: here.owner.id }),
    };
    for (const [name, ends] of Object.entries(leave)) {
      const here = await made();
      const group = await rows.group({ organizationId: organization.id, memberIds: [here.friend.id] });
      await here.give({ groupId: group.id });
      const { end, lost } = await opened(here);
      await ends(here, group.id);
      await end;
      expect(lost, name).toEqual([true]);
    }
  });
});
