import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { workspaceChannel } from '../kernel/channels.ts';
import { createTestApi } from '../testing/index.ts';
import { agentConnected, agentDisconnected } from './connection.ts';
import { forgetOldLatencies, measureLatencies } from './latency.ts';
import { tunnelStub } from '../testing/tunnel-stub.ts';

const { prisma, bus, clock, services, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

/** An agent whose tunnel answers pings after `latency` milliseconds, by its own word; null never answers. */
async function givenAgent(latency: { ms: number | null }) {
  const made = await make.workspace();
  const { agent } = await make.agent({ jobId: made.job.id });
  await agentConnected(services, agent.id);
  const ping = () => (latency.ms === null ? Promise.reject(new Error('closed')) : Promise.resolve(latency.ms));
  const tunnel = tunnelStub({ ping });
  services.tunnels.add(agent.id, tunnel);
  const shown = async () => (await callAsUser(made.owner.id).agents.get({ workspaceagent: agent.id })).latency;
  const kept = async () =>
    (await prisma.templateLatencyBucket.findMany({ where: { userId: made.owner.id } })).flatMap(({ latencies }) => latencies);
  return { ...made, agent, tunnel, shown, kept };
}

beforeEach(() => {
  // Early in a half hour, whenever the test runs.
  const half = 30 * MINUTE_MS;
  clock.advance(half - (clock.now().getTime() % half) + MINUTE_MS);
});

describe('the latency of an agent', () => {
  test('is measured soon after it connected, for every replica to show, and once a minute from then on', async () => {
    const latency = { ms: 12.3456 };
    const { shown, tunnel, agent } = await givenAgent(latency);
    expect(await shown()).toEqual({});
    expect(await measureLatencies(services, signal)).toBe(1);
    expect(await shown()).toEqual({ Berth: { preferred: true, latency_ms: 12.346 } });
    latency.ms = 40;
    expect(await measureLatencies(services, signal)).toBe(0);
    clock.advance(MINUTE_MS);
    await services.prisma.workspaceAgent.update({ where: { id: agent.id }, data: { lastConnectedAt: clock.now() } });
    expect(await measureLatencies(services, signal)).toBe(1);
    expect(await shown()).toEqual({ Berth: { preferred: true, latency_ms: 40 } });
    tunnel.close();
    await agentDisconnected(services, agent.id);
    expect(await shown()).toEqual({});
    clock.advance(MINUTE_MS);
    expect(await measureLatencies(services, signal)).toBe(0);
  });

  test('is told to those who watch the workspace when it is there for the first time', async () => {
    const { workspace, tunnel } = await givenAgent({ ms: 5 });
    const told = new Promise<string>((resolve) => {
      bus.subscribe(workspaceChannel, (news) => {
        if (news.workspace_id === workspace.id) resolve(news.kind);
      });
    });
    await measureLatencies(services, signal);
    expect(await told).toBe('agent');
    tunnel.close();
  });

  test('stays as it is when it changes by little, and when the agent does not answer or is held elsewhere by now', async () => {
    const latency: { ms: number | null } = { ms: 50 };
    const { agent, tunnel } = await givenAgent(latency);
    const written = async () => (await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.id } })).latencyMs;
    for (const [ms, expected] of [
      [50, 50],
      [53, 50],
      [null, 50],
      [60, 60],
    ] as const) {
      latency.ms = ms;
      await measureLatencies(services, signal);
      expect(await written()).toBe(expected);
      clock.advance(MINUTE_MS);
    }
    await prisma.workspaceAgent.update({ where: { id: agent.id }, data: { replicaId: newId() } });
    latency.ms = 1;
    await measureLatencies(services, signal);
    expect(await written()).toBe(60);
    tunnel.close();
  });

  test('is kept for the insights every five minutes, by owner and template', async () => {
    const latency = { ms: 10 };
    const { kept, tunnel, template, owner } = await givenAgent(latency);
    for (let minute = 0; minute < 11; minute++) {
      latency.ms = 10 + minute;
      await measureLatencies(services, signal);
      clock.advance(MINUTE_MS);
    }
    expect(await kept()).toEqual([10, 15, 20]);
    expect(await prisma.templateLatencyBucket.count({ where: { userId: owner.id, templateId: template.id } })).toBe(1);
    tunnel.close();
  });

  test('costs as few statements for many agents as for one', async () => {
    const alone = await givenAgent({ ms: 3 });
    await measureLatencies(services, signal);
    clock.advance(MINUTE_MS);
    const one = await countStatements(() => measureLatencies(services, signal));
    const many = await Promise.all(Array.from({ length: 8 }, () => givenAgent({ ms: 4 })));
    await measureLatencies(services, signal);
    clock.advance(MINUTE_MS);
    expect(await countStatements(() => measureLatencies(services, signal))).toBe(one);
    for (const { tunnel } of [alone, ...many]) tunnel.close();
  });

  test('is forgotten after half a year', async () => {
    const { owner, template } = await make.workspace();
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 60 * MINUTE_MS);
    const row = (days: number) => ({ startTime: daysAgo(days), templateId: template.id, userId: owner.id, latencies: [1] });
    await prisma.templateLatencyBucket.createMany({ data: [row(181), row(179)] });
    expect(await forgetOldLatencies(services)).toBe(false);
    expect(await prisma.templateLatencyBucket.findMany({ where: { userId: owner.id } })).toMatchObject([{ startTime: daysAgo(179) }]);
  });
});
