import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import { beatReplica } from '../replicas/index.ts';
import { createTestApi } from '../testing/index.ts';
import { Traffic } from './index.ts';

const { prisma, clock, services, callAs, callAsUser } = await createTestApi();
const make = given(prisma);
const owner = await make.user({ siteRoles: ['owner'] });
const { deploymentStats } = callAsUser(owner.id);
const REPORT = {
  connection_count: 1,
  rx_bytes: 0,
  tx_bytes: 0,
  session_count_vscode: 0,
  session_count_jetbrains: 0,
  session_count_reconnecting_pty: 0,
  session_count_ssh: 0,
};

test('statistics count workspaces by their latest build, once in thirty seconds', async () => {
  const { organization, template } = await make.template();
  const built = (transition: 'start' | 'stop', status: 'succeeded' | 'failed' | 'running' | 'pending' | 'canceled') =>
    make.workspace({ organization, template, transition, status });
  await built('start', 'succeeded');
  await built('start', 'succeeded');
  await built('stop', 'succeeded');
  await built('start', 'failed');
  await built('stop', 'canceled');
  await built('start', 'running');
  await built('start', 'pending');
  const { workspace } = await built('start', 'succeeded');
  await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
  const counts = { pending: 1, building: 1, running: 2, failed: 2, stopped: 1 };
  const first = await deploymentStats.get({});
  expect(first.workspaces).toMatchObject({ ...counts, connection_latency_ms: { p50: -1, p95: -1 } });
  expect(first).toMatchObject({
    collected_at: clock.now().toISOString(),
    aggregated_from: new Date(clock.now().getTime() - 15 * 60_000).toISOString(),
    next_update_at: new Date(clock.now().getTime() + 30_000).toISOString(),
  });
  await built('start', 'succeeded');
  expect((await deploymentStats.get({})).workspaces.running).toBe(2);
  clock.advance(30_000);
  expect((await deploymentStats.get({})).workspaces.running).toBe(3);
});

test('statistics add up what agents told all servers, and what was measured', async () => {
  const made = await make.workspace();
  const { agent } = await make.agent({ jobId: made.job.id });
  const agentApi = callAs({
    kind: 'agent',
    agentId: agent.id,
    workspaceId: made.workspace.id,
    buildId: made.build.id,
    ownerId: made.owner.id,
  }).agentApi;
  await agentApi.reportStats({ ...REPORT, rx_bytes: 100, tx_bytes: 10, session_count_ssh: 2 });
  const other = {
    ...services,
    traffic: new Traffic(clock),
    settings: { ...services.settings, replica: { ...services.settings.replica, id: '0e9bd1ce-6f4c-4c55-8c5a-0d1d8a1f2b33' } },
  };
  other.traffic.note('another', { ...REPORT, rx_bytes: 1, session_count_vscode: 1, session_count_reconnecting_pty: 3 });
  await beatReplica(services);
  await beatReplica(other);
  const half = 30 * 60_000;
  await prisma.templateLatencyBucket.create({
    data: {
      startTime: new Date(Math.floor(clock.now().getTime() / half) * half),
      templateId: made.template.id,
      userId: made.owner.id,
      latencies: [10, 20, 30],
    },
  });
  clock.advance(31_000);
  const { workspaces, session_count } = await deploymentStats.get({});
  expect(session_count).toEqual({ vscode: 1, ssh: 2, jetbrains: 0, reconnecting_pty: 3 });
  expect(workspaces).toMatchObject({ rx_bytes: 101, tx_bytes: 10, connection_latency_ms: { p50: 20, p95: 29 } });
});

test('statistics are for those who may see them', async () => {
  const member = await make.user();
  const auditor = await make.user({ siteRoles: ['auditor'] });
  await expect(callAsUser(member.id).deploymentStats.get({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(callAsUser(auditor.id).deploymentStats.get({})).resolves.toHaveProperty('session_count');
});

describe('what agents told a server', () => {
  test('is the bytes of fifteen minutes, and the sessions of agents that were heard of lately', () => {
    const traffic = new Traffic(clock);
    traffic.note('a', { ...REPORT, rx_bytes: 5, session_count_ssh: 1 });
    traffic.note('b', { ...REPORT, rx_bytes: 7, session_count_ssh: 4 });
    clock.advance(60_000);
    traffic.note('a', { ...REPORT, rx_bytes: 11, session_count_ssh: 2 });
    expect(traffic.totals()).toMatchObject({ rx_bytes: 23, ssh: 6 });
    clock.advance(60_000);
    expect(traffic.totals()).toMatchObject({ rx_bytes: 23, ssh: 2 });
    clock.advance(14 * 60_000);
    expect(traffic.totals()).toMatchObject({ rx_bytes: 0, ssh: 0 });
  });
});
