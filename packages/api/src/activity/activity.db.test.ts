import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { workspaceChannel } from '../kernel/channels.ts';
import { createTestApi } from '../testing/index.ts';
import type { UsedApp } from './index.ts';
import { Activity, flushActivity } from './index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { prisma, bus, clock, services, callAs, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.workspace>>;
let made: Made;

beforeEach(async () => {
  made = await make.workspace({ lastUsedAt: new Date(0) });
  // The middle of a minute early in a half hour, whenever the test runs.
  const half = 30 * MINUTE_MS;
  clock.advance(half - (clock.now().getTime() % half) + 90_000);
});

const note = (app: UsedApp = 'ssh', userId = made.owner.id) => services.activity.note({ workspaceId: made.workspace.id, userId, app });
const workspace = () => prisma.workspace.findUniqueOrThrow({ where: { id: made.workspace.id } });
const buckets = (templateId = made.template.id) =>
  prisma.templateUsageBucket.findMany({ where: { templateId }, orderBy: [{ startTime: 'asc' }, { app: 'asc' }] });

describe('use of a workspace', () => {
  test('is written as its last use and as minutes of half hours, a minute once however often and by whichever server it is noted', async () => {
    for (let second = 0; second < 3; second++) {
      for (let time = 0; time < 50; time++) note();
      note('app:code');
      await flushActivity(services);
    }
    expect((await workspace()).lastUsedAt).toEqual(clock.now());
    // Another server noted the same minute.
    const other = { ...services, activity: new Activity(clock) };
    other.activity.note({ workspaceId: made.workspace.id, userId: made.owner.id, app: 'ssh' });
    await flushActivity(other);
    const startTime = new Date(Math.floor(clock.now().getTime() / (30 * MINUTE_MS)) * 30 * MINUTE_MS);
    const minute = { startTime, userId: made.owner.id, minutes: 1 };
    expect(await buckets()).toMatchObject([
      { ...minute, app: '' },
      { ...minute, app: 'app:code' },
      { ...minute, app: 'ssh' },
    ]);
    clock.advance(MINUTE_MS);
    note();
    clock.advance(MINUTE_MS);
    note();
    await flushActivity(services);
    expect(await buckets()).toMatchObject([{ app: '', minutes: 3 }, { minutes: 1 }, { app: 'ssh', minutes: 3 }]);
    clock.advance(30 * MINUTE_MS);
    note();
    await flushActivity(services);
    expect((await buckets()).map(({ app, minutes }) => [app, minutes])).toEqual([
      ['', 3],
      ['app:code', 1],
      ['ssh', 3],
      ['', 1],
      ['ssh', 1],
    ]);
  });

  test('costs no statement to note, and as few to write for many workspaces as for one', async () => {
    const many = await Promise.all(
      Array.from({ length: 12 }, () => make.workspace({ template: made.template, organization: made.organization })),
    );
    // The first statements of each connection are its own.
    await flushActivity(services);
    const one = await countStatements(async () => {
      note();
      await flushActivity(services);
    });
    clock.advance(MINUTE_MS);
    const noting = await countStatements(() => {
      for (let time = 0; time < 1000; time++) {
        for (const { workspace, owner } of many) services.activity.note({ workspaceId: workspace.id, userId: owner.id, app: 'vscode' });
      }
      return Promise.resolve();
    });
    expect(noting).toBe(0);
    expect(await countStatements(() => flushActivity(services))).toBe(one);
    expect(await countStatements(() => flushActivity(services))).toBe(0);
    expect(one).toBeLessThanOrEqual(6);
  });

  test('is not lost when it cannot be written at once', async () => {
    note();
    const broken = new Proxy(services, {
      get: (target, key) =>
        key === 'prisma' ? { $transaction: () => Promise.reject(new Error('no database')) } : Reflect.get(target, key),
    });
    await expect(flushActivity(broken)).rejects.toThrow('no database');
    note();
    await expect(flushActivity(services)).resolves.toBe(1);
    expect(await buckets()).toMatchObject([{ minutes: 1 }, { minutes: 1 }]);
  });

  test('of a workspace that is gone meanwhile is forgotten', async () => {
    note();
    await prisma.workspace.update({ where: { id: made.workspace.id }, data: { deleted: true } });
    await flushActivity(services);
    expect(await buckets()).toEqual([]);
    expect((await workspace()).lastUsedAt).toEqual(new Date(0));
  });
});

describe('the deadline of a workspace in use', () => {
  const withDeadline = (data: { deadline: Date | null; maxDeadline?: Date; deadlineRule?: string }) =>
    prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { deadlineRule: data.deadline === null ? '' : 'ttl', ...data } });
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS);
  const use = async () => {
    note();
    await flushActivity(services);
    const { deadline, deadlineRule } = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: made.build.id } });
    return { deadline, deadlineRule };
  };

  beforeEach(() => prisma.template.update({ where: { id: made.template.id }, data: { activityBumpMs: BigInt(HOUR_MS) } }));

  test('moves ahead as far as the template says, and watchers hear of it', async () => {
    await withDeadline({ deadline: inMinutes(10) });
    const told = new Promise<string>((resolve) => {
      bus.subscribe(workspaceChannel, (news) => {
        if (news.workspace_id === made.workspace.id) resolve(news.kind);
      });
    });
    expect(await use()).toEqual({ deadline: inMinutes(60), deadlineRule: 'activity' });
    expect(await told).toBe('deadline');
  });

  test('moves for many workspaces with as many statements as for one', async () => {
    const { template, organization } = made;
    const many = [made, ...(await Promise.all(Array.from({ length: 7 }, () => make.workspace({ template, organization }))))];
    const statements = async (used: readonly Made[]) => {
      const data = { deadline: inMinutes(10), deadlineRule: 'ttl' };
      await prisma.workspaceBuild.updateMany({ where: { id: { in: used.map(({ build }) => build.id) } }, data });
      for (const { workspace, owner } of used) services.activity.note({ workspaceId: workspace.id, userId: owner.id, app: 'ssh' });
      const count = await countStatements(() => flushActivity(services));
      for (const { build } of used) {
        expect(await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } })).toMatchObject({ deadlineRule: 'activity' });
      }
      clock.advance(MINUTE_MS);
      return count;
    };
    await statements([made]);
    expect(await statements(many)).toBe(await statements([made]));
  });

  test('never moves back, nor past the latest one, nor when it moved a moment ago', async () => {
    await withDeadline({ deadline: inMinutes(300) });
    expect(await use()).toEqual({ deadline: inMinutes(300), deadlineRule: 'ttl' });
    clock.advance(MINUTE_MS);
    await withDeadline({ deadline: inMinutes(10), maxDeadline: inMinutes(20) });
    expect((await use()).deadline).toEqual(inMinutes(20));
    clock.advance(MINUTE_MS);
    await withDeadline({ deadline: inMinutes(59), deadlineRule: 'activity' });
    expect((await use()).deadline).toEqual(inMinutes(59));
  });

  test('stays where there is none, where the template bumps nothing, and of what does not run', async () => {
    await withDeadline({ deadline: null });
    expect(await use()).toEqual({ deadline: null, deadlineRule: '' });
    clock.advance(MINUTE_MS);
    await prisma.template.update({ where: { id: made.template.id }, data: { activityBumpMs: 0n } });
    await withDeadline({ deadline: inMinutes(10) });
    expect((await use()).deadline).toEqual(inMinutes(10));
    clock.advance(MINUTE_MS);
    await prisma.template.update({ where: { id: made.template.id }, data: { activityBumpMs: BigInt(HOUR_MS) } });
    await make.build({ workspace: made.workspace, templateVersionId: made.version.id, status: 'running' });
    expect((await use()).deadline).toEqual(inMinutes(9));
  });
});

describe('activity comes from', () => {
  const STATS = {
    connection_count: 0,
    rx_bytes: 0,
    tx_bytes: 0,
    session_count_vscode: 0,
    session_count_jetbrains: 0,
    session_count_reconnecting_pty: 0,
    session_count_ssh: 0,
  };
  const apps = async () => {
    await flushActivity(services);
    return (await buckets()).map(({ app, userId }) => [app, userId]);
  };

  test('the sessions that an agent reports, for the owner, without a statement', async () => {
    const { agent } = await make.agent({ jobId: made.job.id });
    const minutesOfUse = async () => (await buckets()).find(({ app }) => app === '')?.minutes;
    const agentApi = callAs({
      kind: 'agent',
      agentId: agent.id,
      workspaceId: made.workspace.id,
      buildId: made.build.id,
      ownerId: made.owner.id,
    }).agentApi;
    expect(await countStatements(() => agentApi.reportStats(STATS))).toBe(0);
    expect(await apps()).toEqual([]);
    await agentApi.reportStats({ ...STATS, connection_count: 3, session_count_vscode: 1, session_count_ssh: 2 });
    expect(await apps()).toEqual([
      ['', made.owner.id],
      ['ssh', made.owner.id],
      ['vscode', made.owner.id],
    ]);
    clock.advance(MINUTE_MS);
    await agentApi.reportStats({ ...STATS, connection_count: 1 });
    expect((await apps()).map(([app]) => app)).toEqual(['', 'ssh', 'vscode']);
    expect(await minutesOfUse()).toBe(2);
  });

  test('posts of usage, for whoever posts', async () => {
    const admin = await make.user({ siteRoles: ['owner'] });
    const { agent } = await make.agent({ jobId: made.job.id });
    await callAsUser(admin.id).workspaces.usage({ workspace: made.workspace.id, agent_id: agent.id, app_name: 'jetbrains' });
    await callAsUser(made.owner.id).workspaces.usage({ workspace: made.workspace.id });
    expect(new Set((await apps()).map((use) => use.join(' ')))).toEqual(
      new Set([` ${made.owner.id}`, ` ${admin.id}`, `jetbrains ${admin.id}`]),
    );
    expect((await workspace()).lastUsedAt).toEqual(clock.now());
  });
});
