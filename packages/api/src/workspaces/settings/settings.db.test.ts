import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { workspaceChannel } from '../../kernel/channels.ts';
import { createTestApi } from '../../testing/index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const { prisma, bus, clock, callAsUser } = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.workspace>>;
let made: Made;

beforeEach(async () => {
  made = await make.workspace();
});

const owner = () => callAsUser(made.owner.id).workspaces;
const input = () => ({ workspace: made.workspace.id });
const row = () => prisma.workspace.findUniqueOrThrow({ where: { id: made.workspace.id } });
const diffs = async () => {
  const rows = await prisma.auditLog.findMany({ where: { resourceId: made.workspace.id }, orderBy: { time: 'asc' } });
  return rows.map(({ resourceType, action, statusCode, diff }) => ({ resourceType, action, statusCode, diff }));
};
const forTemplate = (data: Parameters<typeof prisma.template.update>[0]['data']) =>
  prisma.template.update({ where: { id: made.template.id }, data });
const ahead = (millis: number): string => new Date(clock.now().getTime() + millis).toISOString();
const refusedAt = (field: string) => ({ code: 'BAD_REQUEST', cause: { validations: [expect.objectContaining({ field })] } });

describe('the autostart schedule', () => {
  const SCHEDULE = 'CRON_TZ=Europe/Lisbon 30 9 * * 1-5';

  test('is set as given and cleared by null or an empty text, recorded each time; absent or the same changes nothing', async () => {
    await owner().updateAutostart({ ...input(), schedule: SCHEDULE });
    expect(await row()).toMatchObject({ autostartSchedule: SCHEDULE, autostartSince: clock.now() });
    await owner().updateAutostart(input());
    await owner().updateAutostart({ ...input(), schedule: SCHEDULE });
    await owner().updateAutostart({ ...input(), schedule: null });
    await owner().updateAutostart({ ...input(), schedule: SCHEDULE });
    await owner().updateAutostart({ ...input(), schedule: '' });
    expect(await row()).toMatchObject({ autostartSchedule: null });
    expect((await diffs()).map(({ diff }) => diff)).toMatchObject([
      { autostart_schedule: { new: SCHEDULE } },
      { autostart_schedule: { old: SCHEDULE } },
      { autostart_schedule: { new: SCHEDULE } },
      { autostart_schedule: { old: SCHEDULE } },
    ]);
  });

  test('is refused by its field when it is no schedule, and where the template allows none; the attempt is recorded', async () => {
    for (const schedule of ['@daily', '0 9 1 * *', 'CRON_TZ=Local 0 9 * * *', 'x'.repeat(300)]) {
      await expect(owner().updateAutostart({ ...input(), schedule })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await expect(owner().updateAutostart({ ...input(), schedule: 'noon' })).rejects.toMatchObject(refusedAt('schedule'));
    await forTemplate({ allowUserAutostart: false });
    await expect(owner().updateAutostart({ ...input(), schedule: SCHEDULE })).rejects.toMatchObject(refusedAt('schedule'));
    expect((await diffs()).at(-1)).toEqual({ resourceType: 'workspace', action: 'write', statusCode: 400, diff: {} });
    expect(await row()).toMatchObject({ autostartSchedule: null });
  });
});

describe('the time to live', () => {
  test('is kept in whole minutes, and null or 0 means none; a running build keeps its deadline', async () => {
    const deadline = new Date(clock.now().getTime() + HOUR_MS);
    await prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { deadline, deadlineRule: 'ttl' } });
    await owner().updateTtl({ ...input(), ttl_ms: 2 * HOUR_MS + 1234 });
    expect((await row()).ttlMs).toBe(BigInt(2 * HOUR_MS));
    await owner().updateTtl(input());
    await owner().updateTtl({ ...input(), ttl_ms: 0 });
    expect((await row()).ttlMs).toBeNull();
    await owner().updateTtl({ ...input(), ttl_ms: null });
    await expect(owner().get(input())).resolves.toMatchObject({ ttl_ms: null, latest_build: { deadline: expect.any(String) } });
    expect((await diffs()).map(({ diff }) => diff)).toMatchObject([{ ttl: { new: 2 * HOUR_MS } }, { ttl: { old: 2 * HOUR_MS } }]);
  });

  test('is refused by its field out of bounds, and where the template decides alone', async () => {
    for (const ttl_ms of [-1, MINUTE_MS - 1, 30 * DAY_MS + 1]) {
      await expect(owner().updateTtl({ ...input(), ttl_ms })).rejects.toMatchObject(refusedAt('ttl_ms'));
    }
    await forTemplate({ allowUserAutostop: false });
    await expect(owner().updateTtl({ ...input(), ttl_ms: HOUR_MS })).rejects.toMatchObject(refusedAt('ttl_ms'));
  });
});

test('automatic updates are always or never', async () => {
  await owner().updateAutomaticUpdates({ ...input(), automatic_updates: 'always' });
  await owner().updateAutomaticUpdates(input());
  await expect(owner().get(input())).resolves.toMatchObject({ automatic_updates: 'always' });
  expect((await diffs()).map(({ diff }) => diff)).toMatchObject([{ automatic_updates: { old: 'never', new: 'always' } }]);
  const sometimes = owner().updateAutomaticUpdates({ ...input(), automatic_updates: 'sometimes' as 'never' });
  await expect(sometimes).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

describe('a workspace that is put to sleep', () => {
  test('is to be deleted after the time of its template, and awake it counts as used now', async () => {
    await forTemplate({ timeTilDormantAutodeleteMs: BigInt(7 * DAY_MS) });
    await expect(owner().updateDormancy({ ...input(), dormant: true })).resolves.toMatchObject({
      dormant_at: clock.now().toISOString().replace('Z', '000Z'),
      deleting_at: ahead(7 * DAY_MS).replace('Z', '000Z'),
      latest_build: { transition: 'start' },
    });
    clock.advance(DAY_MS);
    await owner().updateDormancy({ ...input(), dormant: true });
    await owner().updateDormancy(input());
    await expect(owner().updateDormancy({ ...input(), dormant: false })).resolves.toMatchObject({ dormant_at: null, deleting_at: null });
    expect(await row()).toMatchObject({ lastUsedAt: clock.now(), autostartSince: clock.now() });
    expect((await diffs()).map(({ diff }) => Object.keys(Object(diff)).toSorted())).toEqual([
      ['deleting_at', 'dormant_at'],
      ['deleting_at', 'dormant_at'],
    ]);
  });

  test('is never deleted by itself where its template says nothing', async () => {
    await expect(owner().updateDormancy({ ...input(), dormant: true })).resolves.toMatchObject({ deleting_at: null });
  });

  test('cannot be started until it is awake', async () => {
    await owner().updateDormancy({ ...input(), dormant: true });
    const start = () => callAsUser(made.owner.id).builds.create({ ...input(), transition: 'start' });
    await expect(start()).rejects.toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('dormant') });
    await owner().updateDormancy({ ...input(), dormant: false });
    await expect(start()).resolves.toMatchObject({ transition: 'start' });
  });
});

describe('the deadline of a running workspace', () => {
  const withDeadline = (data: { deadline: Date | null; maxDeadline?: Date }) =>
    prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { ...data, deadlineRule: data.deadline === null ? '' : 'ttl' } });
  const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS);

  test('moves to where it is asked for, by a person from then on; who did it is recorded', async () => {
    await withDeadline({ deadline: inHours(1), maxDeadline: inHours(12) });
    await expect(owner().extend({ ...input(), deadline: ahead(3 * HOUR_MS) })).resolves.toMatchObject({
      message: expect.stringContaining(ahead(3 * HOUR_MS)),
      validations: [],
    });
    await expect(owner().schedule(input())).resolves.toMatchObject({
      deadline: ahead(3 * HOUR_MS),
      deadline_rule: 'extended',
      max_deadline: ahead(12 * HOUR_MS),
    });
    expect(await diffs()).toEqual([{ resourceType: 'workspace', action: 'write', statusCode: 200, diff: {} }]);
    const [entry] = await prisma.auditLog.findMany({ where: { resourceId: made.workspace.id } });
    expect(entry?.additionalFields).toMatchObject({ deadline: ahead(3 * HOUR_MS), deadline_before: ahead(HOUR_MS) });
  });

  test('stays within what its template allows', async () => {
    await withDeadline({ deadline: inHours(1), maxDeadline: inHours(12) });
    await expect(owner().extend({ ...input(), deadline: ahead(28 * MINUTE_MS) })).rejects.toMatchObject(refusedAt('deadline'));
    await expect(owner().extend({ ...input(), deadline: ahead(13 * HOUR_MS) })).rejects.toMatchObject(refusedAt('deadline'));
    await forTemplate({ allowUserAutostop: false });
    await expect(owner().extend({ ...input(), deadline: ahead(2 * HOUR_MS) })).rejects.toMatchObject(refusedAt('deadline'));
  });

  test('is a conflict while there is none', async () => {
    const extend = () => owner().extend({ ...input(), deadline: ahead(2 * HOUR_MS) });
    await expect(extend()).rejects.toMatchObject({ code: 'CONFLICT' });
    await withDeadline({ deadline: inHours(1) });
    for (const status of ['running', 'failed'] as const) {
      await make.build({
        workspace: made.workspace,
        templateVersionId: made.version.id,
        status,
        deadline: inHours(1),
        deadlineRule: 'ttl',
      });
      await expect(extend()).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    await make.build({ workspace: made.workspace, templateVersionId: made.version.id, transition: 'stop' });
    await expect(extend()).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the schedule', () => {
  test('names each event to come with its time and the rule that made it', async () => {
    await forTemplate({ timeTilDormantMs: BigInt(30 * DAY_MS), timeTilDormantAutodeleteMs: BigInt(7 * DAY_MS) });
    const deadline = new Date(clock.now().getTime() + HOUR_MS);
    await prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { deadline, deadlineRule: 'ttl' } });
    const start = new Date(clock.now().getTime() + 12 * HOUR_MS).getUTCHours();
    await prisma.workspace.update({
      where: { id: made.workspace.id },
      data: { ttlMs: BigInt(HOUR_MS), lastUsedAt: clock.now(), autostartSchedule: `0 ${start} * * *` },
    });
    const schedule = await owner().schedule(input());
    expect(schedule).toMatchObject({ deadline: ahead(HOUR_MS), deadline_rule: 'ttl', max_deadline: null, problem: '' });
    expect(schedule.events).toMatchObject(
      expect.arrayContaining([
        { kind: 'autostop', time: ahead(HOUR_MS), rule: 'ttl', setting: 'ttl_ms', value: HOUR_MS },
        expect.objectContaining({ kind: 'dormant', time: ahead(30 * DAY_MS), rule: 'time_til_dormant' }),
        expect.objectContaining({ kind: 'delete', time: ahead(37 * DAY_MS), rule: 'time_til_dormant_autodelete' }),
      ]),
    );
    const autostart = schedule.events.find(({ kind }) => kind === 'autostart');
    expect(autostart).toMatchObject({ rule: 'autostart', value: `0 ${start} * * *` });
    expect(schedule.next_autostart).toBe(autostart?.time);
  });

  test('is empty for a workspace that nothing happens to, and hidden with it', async () => {
    await expect(owner().schedule(input())).resolves.toEqual({
      workspace_id: made.workspace.id,
      deadline: null,
      deadline_rule: '',
      max_deadline: null,
      next_autostart: null,
      events: [],
      problem: '',
    });
    const stranger = callAsUser((await make.user()).id).workspaces;
    await expect(stranger.schedule(input())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an autostart', () => {
  const withNewVersion = async (required: boolean) => {
    const { version } = await make.version({
      organization: made.organization,
      templateId: made.template.id,
      richParameters: [{ name: 'region', required, defaultValue: '' }],
    });
    await forTemplate({ activeVersionId: version.id });
  };

  test('mismatches only when it would change to a version that the stored parameters do not fit', async () => {
    const mismatch = async () => (await owner().resolveAutostart(input())).parameter_mismatch;
    expect(await mismatch()).toBe(false);
    await withNewVersion(true);
    expect(await mismatch()).toBe(false);
    await owner().updateAutomaticUpdates({ ...input(), automatic_updates: 'always' });
    expect(await mismatch()).toBe(true);
    await withNewVersion(false);
    expect(await mismatch()).toBe(false);
    await owner().updateAutomaticUpdates({ ...input(), automatic_updates: 'never' });
    await withNewVersion(true);
    await forTemplate({ requireActiveVersion: true });
    expect(await mismatch()).toBe(true);
  });
});

describe('a post of usage', () => {
  test('names both an agent and an app, or neither', async () => {
    const { agent } = await make.agent({ jobId: made.job.id });
    await prisma.workspace.update({ where: { id: made.workspace.id }, data: { lastUsedAt: new Date(0) } });
    await owner().usage({ ...input(), agent_id: agent.id, app_name: 'vscode' });
    const both = { code: 'BAD_REQUEST', cause: { validations: [{ field: 'agent_id' }, { field: 'app_name' }] } };
    await expect(owner().usage({ ...input(), agent_id: agent.id })).rejects.toMatchObject(both);
    await expect(owner().usage({ ...input(), app_name: 'ssh' })).rejects.toMatchObject(both);
    await expect(owner().usage({ ...input(), agent_id: newId(), app_name: 'ssh' })).rejects.toMatchObject(refusedAt('agent_id'));
    await expect(owner().usage({ ...input(), agent_id: agent.id, app_name: 'emacs' as 'ssh' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

test('each setting is for who may change the workspace, and news of it is told at the commit', async () => {
  const reader = await make.user({ siteRoles: ['template-admin'] });
  const stranger = await make.user();
  const change = (id: string) => callAsUser(id).workspaces.updateTtl({ ...input(), ttl_ms: HOUR_MS });
  await expect(change(reader.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(change(stranger.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const told = new Promise<string>((resolve) => {
    bus.subscribe(workspaceChannel, (news) => {
      if (news.workspace_id === made.workspace.id) resolve(news.kind);
    });
  });
  await change(made.owner.id);
  expect(await told).toBe('settings');
});
