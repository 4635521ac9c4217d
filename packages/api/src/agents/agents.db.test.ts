import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { newId } from '@berth/core';
import type { PtyStream } from '@berth/protocol/tunnel';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { authChannel } from '../kernel/channels.ts';
import { userCallFor } from '../kernel/procedures.ts';
import { flushActivity } from '../activity/index.ts';
import { createTestApi, trackedParts, userPrincipal } from '../testing/index.ts';
import { WorkspaceAgent } from './contract.ts';
import {
  agentConnected,
  agentDisconnected,
  agentStillConnected,
  findAgentByToken,
  followAgentLogs,
  openTerminal,
  requireTerminal,
} from './index.ts';
import { tunnelStub } from '../testing/tunnel-stub.ts';

const { prisma, clock, services, callAsUser, callAs, countStatements } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const siteOwner = await rows.user({ siteRoles: ['owner'] });

async function withAgent(overrides: Partial<Parameters<typeof rows.agent>[0]> = {}) {
  const made = await rows.workspace({ organization });
  return { ...made, ...(await rows.agent({ jobId: made.job.id, connected: clock.now(), ...overrides })) };
}

async function sshCall(userId: string) {
  const context = {
    services,
    authenticate: () => userPrincipal(prisma, userId),
    request: { requestId: newId(), ip: '', userAgent: '' },
    response: { setCookie: () => undefined },
  };
  return userCallFor(context, 'workspace:ssh');
}

/** A terminal that only lives and is closed with its signal, as a real one is. */
function terminalStub(signal?: AbortSignal): PtyStream {
  const stream = new PassThrough();
  signal?.addEventListener('abort', () => stream.destroy());
  return stream as unknown as PtyStream;
}

describe('get', () => {
  it('answers an agent of a workspace that the caller may read, by one statement', async () => {
    const { owner, agent, workspace } = await withAgent({ apps: [{ slug: 'web', subdomain: true }] });
    const caller = callAs(await userPrincipal(prisma, owner.id));
    const found = await caller.agents.get({ workspaceagent: agent.id });
    expect(found).toEqual(WorkspaceAgent.strict().parse(found));
    expect(found).toMatchObject({
      id: agent.id,
      status: 'connected',
      apps: [{ subdomain_name: `web--main--${workspace.name}--${owner.username}` }],
    });
    expect(await countStatements(() => caller.agents.get({ workspaceagent: agent.id }))).toBe(1);
  });

  it('is 404 for strangers and for agents that an import foresaw', async () => {
    const { agent, version } = await withAgent();
    const { agent: foreseen } = await rows.agent({ jobId: version.jobId, hashedToken: null });
    const stranger = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(stranger.id).agents.get({ workspaceagent: agent.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(siteOwner.id).agents.get({ workspaceagent: foreseen.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a token', () => {
  it('is an agent only until a later build succeeded, of a living workspace of a living user', async () => {
    const { token, agent, workspace, build, owner, version } = await withAgent();
    const principal = { kind: 'agent', agentId: agent.id, workspaceId: workspace.id, buildId: build.id, ownerId: owner.id };
    expect(await findAgentByToken(prisma, token)).toEqual(principal);
    expect(await findAgentByToken(prisma, newId())).toBeNull();
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
    expect(await findAgentByToken(prisma, token)).toBeNull();
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'active' } });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
    expect(await findAgentByToken(prisma, token)).toBeNull();
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: false } });
    expect(await findAgentByToken(prisma, token)).toEqual(principal);
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop' });
    expect(await findAgentByToken(prisma, token)).toBeNull();
  });

  it('still counts while the next build runs, also a restart that has made its own agents', async () => {
    const { token, workspace, version } = await withAgent();
    const restart = await rows.build({ workspace, templateVersionId: version.id, status: 'running' });
    expect(await findAgentByToken(prisma, token)).not.toBeNull();
    const { token: successor } = await rows.agent({ jobId: restart.job.id });
    expect(await findAgentByToken(prisma, token)).not.toBeNull();
    await prisma.provisionerJob.update({ where: { id: restart.job.id }, data: { completedAt: new Date() } });
    expect(await findAgentByToken(prisma, token)).toBeNull();
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop', status: 'running' });
    expect(await findAgentByToken(prisma, token)).toBeNull();
    expect(await findAgentByToken(prisma, successor)).not.toBeNull();
  });

  it.each(['canceled', 'failed'] as const)('still counts after a stop that %s, until one succeeds', async (status) => {
    const { token, workspace, version } = await withAgent();
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop', status });
    expect(await findAgentByToken(prisma, token)).not.toBeNull();
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop' });
    expect(await findAgentByToken(prisma, token)).toBeNull();
  });
});

describe('connection', () => {
  it('moves its times forward only, keeps the first, and tells a new connection from the end of the last', async () => {
    const { owner, agent } = await withAgent({ connected: false });
    const status = async () => (await callAsUser(owner.id).agents.get({ workspaceagent: agent.id })).status;
    await agentConnected(services, agent.id);
    const first = await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.id } });
    await agentDisconnected(services, agent.id);
    expect(await status()).toBe('disconnected');
    // Before the clock has moved at all.
    await agentConnected(services, agent.id);
    expect(await status()).toBe('connected');
    clock.advance(31_000);
    expect(await status()).toBe('disconnected');
    await agentStillConnected(services, agent.id);
    expect(await status()).toBe('connected');
    await expect(prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.id } })).resolves.toMatchObject({
      firstConnectedAt: first.firstConnectedAt,
    });
  });
});

describe('logs', () => {
  it('are followed in pages, resumed after the last line, and end with the build', async () => {
    const { owner, agent, token, workspace, version } = await withAgent({ scripts: [{ script: 'true' }] });
    const principal = await findAgentByToken(prisma, token);
    if (principal === null) throw new Error('the token is not valid');
    const source = await prisma.workspaceAgentLogSource.findFirstOrThrow({ where: { agentId: agent.id } });
    const log = (...outputs: string[]) =>
      callAs(principal).agentApi.reportLogs({
        log_source_id: source.id,
        logs: outputs.map((output) => ({ created_at: clock.now().toISOString(), level: 'info', output })),
      });
    await log('one', 'two');
    const followed = (await callAsUser(owner.id).agents.followLogs({ workspaceagent: agent.id }))[Symbol.asyncIterator]();
    const outputs = (result: IteratorResult<{ id: string; data: readonly { output: string }[] }, void>): string[] =>
      result.done === true ? [] : trackedParts(result.value).data.map(({ output }) => output);
    const first = await followed.next();
    expect(outputs(first)).toEqual(['one', 'two']);
    await log('three');
    expect(outputs(await followed.next())).toEqual(['three']);
    await rows.build({ workspace, templateVersionId: version.id });
    await agentDisconnected(services, agent.id);
    expect(outputs(await followed.next())).toEqual([]);

    const lastEventId = first.done === true ? null : trackedParts(first.value).id;
    const resumed = (await callAsUser(owner.id).agents.followLogs({ workspaceagent: agent.id, lastEventId }))[Symbol.asyncIterator]();
    expect(outputs(await resumed.next())).toEqual(['three']);
    await expect(resumed.next()).resolves.toMatchObject({ done: true });

    const listed = await callAsUser(owner.id).agents.logs({ workspaceagent: agent.id });
    expect(listed.map(({ output, source_id, level }) => [output, source_id, level])).toEqual(
      ['one', 'two', 'three'].map((output) => [output, source.id, 'info']),
    );
    await expect(
      callAsUser(owner.id).agents.logs({ workspaceagent: agent.id, after: String(listed[0]?.id), before: String(listed[2]?.id) }),
    ).resolves.toEqual([listed[1]]);
  });
});

describe('metadata', () => {
  it('comes at once, with what to run and how old its value is', async () => {
    const { owner, agent } = await withAgent({
      metadata: [{ key: 'cpu', value: '7 %', collectedAt: new Date(clock.now().getTime() - 12_500) }, { key: 'disk' }],
    });
    const stream = (await callAsUser(owner.id).agents.watchMetadata({ workspaceagent: agent.id }))[Symbol.asyncIterator]();
    await expect(stream.next()).resolves.toMatchObject({
      value: [
        { result: { value: '7 %', age: 12, error: '' }, description: { key: 'cpu', script: 'true', interval: 10, timeout: 5 } },
        { result: { value: '', collected_at: null, age: 0 }, description: { key: 'disk' } },
      ],
    });
    await stream.return?.();
  });
});

describe('listening ports', () => {
  it('list ports of declared apps and of well-known services apart from the others, and leave out system ports', async () => {
    const { owner, agent } = await withAgent({
      apps: [
        { slug: 'a', url: 'http://localhost:8080/x' },
        { slug: 'b', url: 'http://127.0.0.1' },
        { slug: 'c', url: 'http://example.com:9000' },
        { slug: 'd', url: 'http://localhost:8080' },
      ],
    });
    const ports = [7, 22, 80, 3000, 5432, 8080, 9000].map((port) => ({ process_name: 'node', network: 'tcp' as const, port }));
    services.tunnels.add(agent.id, tunnelStub({ listeningPorts: () => Promise.resolve({ ports }) }));
    const found = await callAsUser(owner.id).agents.listeningPorts({ workspaceagent: agent.id });
    expect(found.ports.map(({ port }) => port)).toEqual([3000, 9000]);
    const facts = { process_name: 'node', network: 'tcp' };
    expect(found.hidden).toEqual([
      { ...facts, port: 22, reason: 'well_known', app_slugs: [] },
      { ...facts, port: 80, reason: 'app', app_slugs: ['b'] },
      { ...facts, port: 5432, reason: 'well_known', app_slugs: [] },
      { ...facts, port: 8080, reason: 'app', app_slugs: ['a', 'd'] },
    ]);
  });

  it('are refused while the agent is not connected, or of an older build', async () => {
    const away = await withAgent({ connected: false });
    await expect(callAsUser(away.owner.id).agents.listeningPorts({ workspaceagent: away.agent.id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const old = await withAgent();
    await rows.build({ workspace: old.workspace, templateVersionId: old.version.id });
    await expect(callAsUser(old.owner.id).agents.listeningPorts({ workspaceagent: old.agent.id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('terminal', () => {
  const open = { reconnect: newId(), isReadOnly: false, width: 80, height: 24, command: '', signal: new AbortController().signal };

  it('waits for an agent that is coming back, and notes that the workspace is used', async () => {
    const { owner, agent, workspace } = await withAgent();
    await prisma.workspace.update({ where: { id: workspace.id }, data: { lastUsedAt: new Date(0) } });
    const pty = terminalStub();
    const opening = openTerminal(await sshCall(owner.id), { ...open, agentId: agent.id });
    services.tunnels.add(agent.id, tunnelStub({ openPty: () => Promise.resolve(pty) }));
    expect(await opening).toBe(pty);
    await flushActivity(services);
    expect((await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).lastUsedAt).toEqual(clock.now());
    expect(await prisma.templateUsageBucket.findMany({ where: { userId: owner.id }, orderBy: { app: 'asc' } })).toMatchObject([
      { app: '', minutes: 1 },
      { app: 'reconnecting-pty', minutes: 1 },
    ]);
  });

  it('is 404 for who may not read, 403 for who may not enter, and for nobody while the workspace is dormant', async () => {
    const { owner, agent, workspace } = await withAgent();
    const stranger = await rows.user({ memberOf: [organization.id] });
    const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    await expect(requireTerminal(await sshCall(stranger.id), { ...open, agentId: agent.id })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(requireTerminal(await sshCall(admin.id), { ...open, agentId: agent.id })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(requireTerminal(await sshCall(owner.id), { ...open, agentId: agent.id })).resolves.toMatchObject({
      agent: { id: agent.id },
      share: null,
    });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { dormantAt: new Date() } });
    await expect(requireTerminal(await sshCall(owner.id), { ...open, agentId: agent.id })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(requireTerminal(await sshCall(siteOwner.id), { ...open, agentId: agent.id })).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('is closed at once when its user is suspended, and a followed log ends', async () => {
    const { owner, agent } = await withAgent();
    services.tunnels.add(agent.id, tunnelStub({ openPty: ({ signal }) => Promise.resolve(terminalStub(signal)) }));
    const call = await sshCall(owner.id);
    let isSuspended = false;
    const principal = call.principal;
    const authenticate = () => Promise.resolve(isSuspended ? ({ kind: 'anonymous' } as const) : principal);
    const terminal = await openTerminal({ ...call, authenticate }, { ...open, agentId: agent.id });
    const log = await followAgentLogs({ ...call, authenticate }, { id: agent.id, after: 0, signal: open.signal });
    const ended = log.next();
    const closed = once(terminal, 'close');
    await services.bus.publish(prisma, authChannel, { user_id: siteOwner.id });
    isSuspended = true;
    await services.bus.publish(prisma, authChannel, { user_id: owner.id });
    await closed;
    await expect(ended).resolves.toMatchObject({ done: true });
  });

  it('gives up when the caller leaves', async () => {
    const { owner, agent } = await withAgent();
    const abort = new AbortController();
    const opening = openTerminal(await sshCall(owner.id), { ...open, agentId: agent.id, signal: abort.signal });
    abort.abort();
    await expect(opening).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
