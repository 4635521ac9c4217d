import { newId } from '@berth/core';
import { AgentManifest } from '@berth/protocol';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flushActivity } from '../activity/index.ts';
import { createTestApi } from '../testing/index.ts';
import { findAgentByToken } from './index.ts';

const { prisma, clock, services, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();

async function withAgent() {
  const made = await rows.workspace({ organization });
  const agent = await rows.agent({
    jobId: made.job.id,
    environmentVariables: { EDITOR: 'vi' },
    apps: [
      { slug: 'checked', healthcheckUrl: 'http://localhost:1', healthcheckInterval: 5, healthcheckThreshold: 3, health: 'initializing' },
      { slug: 'free' },
    ],
    scripts: [{ script: 'make', displayName: 'setup', runOnStart: true, timeoutSeconds: 60 }],
    metadata: [{ key: 'cpu' }, { key: 'disk' }],
  });
  const principal = await findAgentByToken(prisma, agent.token);
  if (principal === null) throw new Error('the token is not valid');
  const source = await prisma.workspaceAgentLogSource.findFirstOrThrow({ where: { agentId: agent.agent.id } });
  const row = () => prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.agent.id } });
  return { ...made, ...agent, source, row, principal, api: callAs(principal).agentApi };
}

const at = () => clock.now().toISOString();

describe('manifest', () => {
  it('tells an agent all about itself', async () => {
    const { api, agent, workspace, owner, source } = await withAgent();
    const manifest = await api.manifest({});
    expect(manifest).toEqual(AgentManifest.parse(manifest));
    expect(manifest).toMatchObject({
      agent_id: agent.id,
      workspace_name: workspace.name,
      owner_username: owner.username,
      environment: { EDITOR: 'vi' },
      access_url: 'http://berth.test',
      server_version: services.settings.version,
      port_url: expect.stringContaining(`--${workspace.name}--${owner.username}.`),
      apps: [
        { slug: 'checked', healthcheck: { interval: 5, threshold: 3 }, health: 'initializing' },
        { slug: 'free', health: 'disabled' },
      ],
      scripts: [{ display_name: 'setup', log_source_id: source.id, timeout: 60, run_on_start: true }],
      metadata: [{ key: 'cpu', interval: 10, timeout: 5 }, { key: 'disk' }],
    });
  });

  it('is for agents only', async () => {
    const { owner } = await withAgent();
    await expect(callAsUser(owner.id).agentApi.manifest({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(callAs({ kind: 'anonymous' }).agentApi.manifest({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('startup and lifecycle', () => {
  it('are kept as reported, with the times that a state sets', async () => {
    const { api, row, owner, agent } = await withAgent();
    await api.reportStartup({ version: 'v1.2.3', expanded_directory: '/home/dev', subsystems: ['exectrace'] });
    await api.reportLifecycle({ state: 'starting', changed_at: at() });
    expect(await row()).toMatchObject({ version: 'v1.2.3', lifecycleState: 'starting', startedAt: clock.now(), readyAt: null });
    clock.advance(5_000);
    // An agent's clock that runs ahead is not believed.
    await api.reportLifecycle({ state: 'ready', changed_at: new Date(clock.now().getTime() + 3_600_000).toISOString() });
    expect(await row()).toMatchObject({ lifecycleState: 'ready', readyAt: clock.now() });
    await expect(callAsUser(owner.id).agents.get({ workspaceagent: agent.id })).resolves.toMatchObject({
      lifecycle_state: 'ready',
      expanded_directory: '/home/dev',
      subsystems: ['exectrace'],
      api_version: '1.0',
    });
  });
});

describe('logs', () => {
  const lines = (output: string, count = 1) => Array.from({ length: count }, () => ({ created_at: at(), level: 'info' as const, output }));

  it('are kept up to one mebibyte, then no more, and the agent is told', async () => {
    const { api, source, row, agent } = await withAgent();
    const log = (output: string, count: number) => api.reportLogs({ log_source_id: source.id, logs: lines(output, count) });
    const kibibytes8 = 'x'.repeat(8 * 1024);
    expect(await log(kibibytes8, 127)).toEqual({ overflowed: false });
    expect(await log(kibibytes8, 1)).toEqual({ overflowed: false });
    expect(await row()).toMatchObject({ logsLength: 1024 * 1024, logsOverflowed: false });
    expect(await log('y', 1)).toEqual({ overflowed: true });
    expect(await log('z', 1)).toEqual({ overflowed: true });
    expect(await row()).toMatchObject({ logsLength: 1024 * 1024, logsOverflowed: true });
    expect(await prisma.workspaceAgentLog.count({ where: { agentId: agent.id } })).toBe(128);
  });

  it('count bytes, not characters, and lose what text in the database cannot hold', async () => {
    const { api, source, row, agent } = await withAgent();
    await api.reportLogs({ log_source_id: source.id, logs: [...lines('é\0'), ...lines('')] });
    expect(await row()).toMatchObject({ logsLength: 3 });
    const stored = await prisma.workspaceAgentLog.findMany({ where: { agentId: agent.id }, orderBy: { id: 'asc' } });
    expect(stored.map(({ output }) => output)).toEqual(['é', '']);
  });

  it('are only written to sources of the agent itself', async () => {
    const [one, other] = [await withAgent(), await withAgent()];
    await expect(one.api.reportLogs({ log_source_id: other.source.id, logs: lines('hello') })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await prisma.workspaceAgentLog.count({ where: { agentId: { in: [one.agent.id, other.agent.id] } } })).toBe(0);
  });

  it('lose nothing when two calls come at once', async () => {
    const { api, source, row, agent } = await withAgent();
    await Promise.all([1, 2, 3, 4].map(() => api.reportLogs({ log_source_id: source.id, logs: lines('abc', 10) })));
    expect(await row()).toMatchObject({ logsLength: 120 });
    expect(await prisma.workspaceAgentLog.count({ where: { agentId: agent.id } })).toBe(40);
  });
});

describe('metadata', () => {
  it('keeps the latest value of each key that the template has, cut to 2048 bytes', async () => {
    const { api, agent } = await withAgent();
    const result = (key: string, value: string, error = '') => ({ key, value, error, collected_at: at() });
    await api.reportMetadata({ metadata: [result('cpu', 'é'.repeat(2000)), result('disk', '', 'no such disk'), result('unknown', 'x')] });
    const stored = await prisma.workspaceAgentMetadatum.findMany({ where: { agentId: agent.id }, orderBy: { key: 'asc' } });
    expect(stored.map(({ key, value, error }) => [key, Buffer.byteLength(value), error])).toEqual([
      ['cpu', 2048, ''],
      ['disk', 0, 'no such disk'],
    ]);
    expect(stored[0]?.collectedAt).toEqual(clock.now());
  });
});

describe('health and scripts', () => {
  it('of apps changes only where there is a check, and only for the agent’s own', async () => {
    const [one, other] = [await withAgent(), await withAgent()];
    const health = async (agentId: string) =>
      (await prisma.workspaceApp.findMany({ where: { agentId }, orderBy: { slug: 'asc' } })).map((app) => app.health);
    const apps = await prisma.workspaceApp.findMany({ where: { agentId: { in: [one.agent.id, other.agent.id] } } });
    await one.api.reportAppHealth({ updates: apps.map(({ id }) => ({ id, health: 'healthy' })) });
    expect(await health(one.agent.id)).toEqual(['healthy', 'disabled']);
    expect(await health(other.agent.id)).toEqual(['initializing', 'disabled']);
    await one.api.reportAppHealth({ updates: apps.map(({ id }) => ({ id, health: 'disabled' })) });
    expect(await health(one.agent.id)).toEqual(['healthy', 'disabled']);
  });

  it('of scripts keeps the last hundred runs, of the agent’s own scripts only', async () => {
    const [one, other] = [await withAgent(), await withAgent()];
    const script = async (agentId: string) => (await prisma.workspaceAgentScript.findFirstOrThrow({ where: { agentId } })).id;
    const run = { started_at: at(), ended_at: at(), exit_code: 0, stage: 'cron', status: 'ok' } as const;
    await expect(one.api.reportScript({ ...run, script_id: await script(other.agent.id) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const id = await script(one.agent.id);
    await prisma.workspaceAgentScriptTiming.createMany({
      data: Array.from({ length: 120 }, () => ({
        scriptId: id,
        stage: 'cron',
        status: 'ok',
        exitCode: 0,
        startedAt: new Date(),
        endedAt: new Date(),
      })),
    });
    await one.api.reportScript({ ...run, script_id: id, exit_code: 3, status: 'exit_failure' });
    const kept = await prisma.workspaceAgentScriptTiming.findMany({ where: { scriptId: id }, orderBy: { id: 'desc' } });
    expect(kept).toHaveLength(100);
    expect(kept[0]).toMatchObject({ exitCode: 3, status: 'exit_failure' });
  });
});

describe('stats', () => {
  it('count as use of the workspace while something is open', async () => {
    const { api, workspace } = await withAgent();
    await prisma.workspace.update({ where: { id: workspace.id }, data: { lastUsedAt: new Date(0) } });
    const idle = {
      connection_count: 0,
      rx_bytes: 0,
      tx_bytes: 0,
      session_count_vscode: 0,
      session_count_jetbrains: 0,
      session_count_reconnecting_pty: 0,
      session_count_ssh: 0,
    };
    const lastUsed = async () => {
      await flushActivity(services);
      return (await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).lastUsedAt;
    };
    expect(await api.reportStats(idle)).toEqual({ interval_ms: 30_000 });
    expect(await lastUsed()).toEqual(new Date(0));
    await api.reportStats({ ...idle, session_count_reconnecting_pty: 1 });
    expect(await lastUsed()).toEqual(clock.now());
  });
});

describe('logs', () => {
  it('are kept once and in order, whatever answers are lost and however often the agent itself begins anew', async () => {
    const report = fc.record({ said: fc.nat({ max: 4 }), batch: fc.integer({ min: 1, max: 5 }), isAnswerLost: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(report, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), async (processes) => {
        const { api, source, agent } = await withAgent();
        const expected: string[] = [];
        for (const [process, reports] of processes.entries()) {
          const sessionId = newId();
          let [sequence, delivered] = [0, 0];
          // The same text again and again: nothing but their numbers tells lines apart.
          const queue: string[] = [];
          for (const { said, batch, isAnswerLost } of reports) {
            for (let times = 0; times < said; times += 1) queue.push(`process ${process}`);
            const logs = queue.slice(0, batch).map((output) => ({ created_at: at(), level: 'info' as const, output }));
            if (logs.length === 0) continue;
            await api.reportLogs({ log_source_id: source.id, session_id: sessionId, sequence, logs });
            delivered = Math.max(delivered, sequence + logs.length);
            if (isAnswerLost) continue;
            queue.splice(0, logs.length);
            sequence += logs.length;
          }
          for (let times = 0; times < delivered; times += 1) expected.push(`process ${process}`);
        }
        const kept = await prisma.workspaceAgentLog.findMany({ where: { agentId: agent.id }, orderBy: { id: 'asc' } });
        expect(kept.map(({ output }) => output)).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('of an agent that does not number them are all kept', async () => {
    const { api, source, agent } = await withAgent();
    const logs = [{ created_at: at(), level: 'info' as const, output: 'one' }];
    await api.reportLogs({ log_source_id: source.id, logs });
    await api.reportLogs({ log_source_id: source.id, logs });
    expect(await prisma.workspaceAgentLog.count({ where: { agentId: agent.id } })).toBe(2);
  });
});

describe('ownership', () => {
  it('of rows comes from the token alone: no input names an agent', async () => {
    const { api, row } = await withAgent();
    const other = await withAgent();
    await api.reportStartup({
      version: 'v9.9.9',
      expanded_directory: '/',
      subsystems: [],
      agent_id: other.agent.id,
      workspace_id: newId(),
    } as never);
    expect((await row()).version).toBe('v9.9.9');
    expect((await other.row()).version).toBe('');
  });
});
