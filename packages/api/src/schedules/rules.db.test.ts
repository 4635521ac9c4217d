import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, createTestSchedules } from './test-schedules.ts';

const { prisma, clock, goTo, givenScheduled, rowOf, buildsOf, end, run } = await createTestSchedules();

const ago = (millis: number): Date => new Date(clock.now().getTime() - millis);
const ahead = (millis: number): Date => new Date(clock.now().getTime() + millis);
const auditOf = (resourceId: string) => prisma.auditLog.findMany({ where: { resourceId }, orderBy: { time: 'asc' } });

describe('the deadline', () => {
  test('stops a workspace when it is reached, in the name of its owner, and not before', async () => {
    const { workspace, owner } = await givenScheduled({ transition: 'start', deadline: ahead(HOUR_MS) });
    clock.advance(HOUR_MS - 1);
    expect(await run()).toMatchObject({ done: 0 });
    clock.advance(1);
    expect(await run()).toMatchObject({ done: 1 });
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'autostop', initiatorId: owner.id }]);
    const job = await prisma.provisionerJob.findFirstOrThrow({ where: { build: { workspaceId: workspace.id, reason: 'autostop' } } });
    expect(job).toMatchObject({ requestIp: '127.0.0.1', initiatorId: owner.id, completedAt: null });
  });

  test.each(['pending', 'running', 'failed'] as const)('does nothing to a start that is %s', async (status) => {
    const { workspace } = await givenScheduled({ transition: 'start', status, deadline: ago(MINUTE_MS) });
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
  });

  test('does not follow a stop that failed with another', async () => {
    const { workspace } = await givenScheduled({ transition: 'start', deadline: ago(MINUTE_MS), template: { failureTtlMs: MINUTE_MS } });
    await run();
    await end(workspace.id, 'the disk is busy');
    clock.advance(HOUR_MS);
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });
});

describe('a suspended or deleted owner', () => {
  test('stops what runs, whatever its deadline, and starts nothing', async () => {
    const schedule = { autostartSchedule: '0 13 * * *' };
    const running = await givenScheduled({ transition: 'start', deadline: ahead(DAY_MS) });
    const canceled = await givenScheduled({ transition: 'start', status: 'canceled' });
    const stopped = await givenScheduled({ workspace: schedule });
    const left = await givenScheduled({ transition: 'start' });
    for (const { owner } of [running, canceled, stopped]) {
      await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
    }
    await prisma.user.update({ where: { id: left.owner.id }, data: { deleted: true } });
    clock.advance(2 * HOUR_MS);
    await run();
    for (const { workspace } of [running, canceled, left]) {
      expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'autostop' }]);
    }
    expect(await buildsOf(stopped.workspace.id)).toEqual([]);
  });

  test('starts nothing while dormant', async () => {
    const { workspace, owner } = await givenScheduled({ workspace: { autostartSchedule: '0 13 * * *' } });
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'dormant' } });
    clock.advance(2 * HOUR_MS);
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
  });
});

describe('the autostart', () => {
  const NINE = { autostartSchedule: 'CRON_TZ=Europe/Lisbon 0 9 * * *' };

  test('starts a stopped workspace at its time, once', async () => {
    const { workspace, owner } = await givenScheduled({ workspace: NINE });
    goTo('2027-01-14T08:59:59Z');
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    goTo('2027-01-14T09:00:00Z');
    await run();
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'start', reason: 'autostart', initiatorId: owner.id }]);
    await end(workspace.id);
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });

  test('keeps to the days that the template allows, and takes the next of them', async () => {
    // Friday and the days of the weekend are not allowed.
    const { workspace } = await givenScheduled({ workspace: NINE, template: { autostartDaysOfWeek: 0b000_1111 } });
    goTo('2027-01-14T08:00:00Z');
    await prisma.workspaceBuild.updateMany({ where: { workspaceId: workspace.id }, data: { createdAt: new Date('2027-01-14T10:00:00Z') } });
    goTo('2027-01-17T23:00:00Z');
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    goTo('2027-01-18T09:00:00Z');
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });

  test('of a schedule set later in the day waits for the next day', async () => {
    const { workspace } = await givenScheduled({ at: ago(30 * DAY_MS), workspace: { ...NINE, autostartSince: clock.now() } });
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    goTo('2027-01-14T09:00:00Z');
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });

  test('of a time that was missed happens late', async () => {
    const { workspace } = await givenScheduled({ workspace: NINE });
    goTo('2027-01-14T11:30:00Z');
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });

  test.each([
    ['a dormant workspace', { workspace: { dormantAt: new Date('2027-01-01T00:00:00Z') } }],
    ['a template that allows none', { template: { allowUserAutostart: false } }],
    ['a stop that failed', { status: 'failed' }],
    ['a stop under way', { status: 'running' }],
    ['a workspace that runs', { transition: 'start' }],
  ] as const)('does not happen to %s', async (_, { workspace: more, ...facts }: Parameters<typeof givenScheduled>[0] & object) => {
    const { workspace } = await givenScheduled({ ...facts, workspace: { ...NINE, ...more } });
    goTo('2027-01-14T10:00:00Z');
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
  });

  test.each([
    // The clock goes from 1:59 to 3:00 in Berlin: what was to happen between happens at the change.
    ['2027-03-27T12:00:00Z', 'CRON_TZ=Europe/Berlin 30 2 * * *', '2027-03-28T01:00:00Z', '2027-03-29T00:30:00Z'],
    // The clock goes from 2:59 back to 2:00: the first 2:30 counts.
    ['2027-10-30T12:00:00Z', 'CRON_TZ=Europe/Berlin 30 2 * * *', '2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z'],
    ['2027-03-13T20:00:00Z', 'CRON_TZ=America/New_York 30 2 * * *', '2027-03-14T07:00:00Z', '2027-03-15T06:30:00Z'],
    ['2027-11-06T20:00:00Z', 'CRON_TZ=America/New_York 30 1 * * *', '2027-11-07T05:30:00Z', '2027-11-08T06:30:00Z'],
  ])('happens exactly once on the day when clocks change: from %s by %s', async (from, autostartSchedule, first, second) => {
    goTo(from);
    const { workspace } = await givenScheduled({ workspace: { autostartSchedule } });
    const stopAgain = async () => {
      await end(workspace.id);
      const { latestBuildId } = await rowOf(workspace.id);
      await prisma.workspaceBuild.update({ where: { id: latestBuildId ?? '' }, data: { transition: 'stop' } });
      await prisma.workspace.update({ where: { id: workspace.id }, data: { isRunning: false } });
    };
    for (const instant of [first, second]) {
      goTo(new Date(new Date(instant).getTime() - 1).toISOString());
      await run();
      const before = await buildsOf(workspace.id);
      goTo(instant);
      await run();
      expect(await buildsOf(workspace.id)).toHaveLength(before.length + 1);
      await stopAgain();
    }
    expect(await buildsOf(workspace.id)).toHaveLength(2);
  });
});

describe('a start that failed', () => {
  test('is stopped after the time of its template, and never where there is none', async () => {
    const { workspace } = await givenScheduled({ transition: 'start', status: 'failed', template: { failureTtlMs: HOUR_MS } });
    const other = await givenScheduled({ transition: 'start', status: 'failed' });
    clock.advance(HOUR_MS - 1);
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    clock.advance(1);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'autostop' }]);
    expect(await buildsOf(other.workspace.id)).toEqual([]);
  });
});

describe('dormancy', () => {
  const TEMPLATE = { timeTilDormantMs: 7 * DAY_MS, timeTilDormantAutodeleteMs: 30 * DAY_MS };

  test('comes to a workspace that nobody uses, stops it, and says when it goes; the row in the log is the work of nobody', async () => {
    const { workspace } = await givenScheduled({ transition: 'start', template: TEMPLATE });
    clock.advance(7 * DAY_MS - 1);
    await run();
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: null });
    clock.advance(1);
    await run();
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: clock.now(), deletingAt: ahead(30 * DAY_MS) });
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'dormancy' }]);
    expect(await auditOf(workspace.id)).toMatchObject([
      {
        resourceType: 'workspace',
        action: 'write',
        userId: null,
        ip: '127.0.0.1',
        statusCode: 200,
        additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'dormancy' },
        diff: { dormant_at: { new: clock.now().toISOString() } },
      },
    ]);
  });

  test('makes no build of a stopped workspace, and no time to go where the template has none', async () => {
    const { workspace } = await givenScheduled({ template: { timeTilDormantMs: 7 * DAY_MS } });
    clock.advance(7 * DAY_MS);
    await run();
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: clock.now(), deletingAt: null });
    expect(await buildsOf(workspace.id)).toEqual([]);
  });

  test('put on by a person stops what runs', async () => {
    const { workspace } = await givenScheduled({ transition: 'start', workspace: { dormantAt: clock.now() } });
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'dormancy' }]);
  });

  test('ends with the deletion of the workspace when its time has come', async () => {
    const facts = { template: TEMPLATE, workspace: { dormantAt: clock.now(), deletingAt: ahead(DAY_MS) } };
    const { workspace } = await givenScheduled(facts);
    const kept = await givenScheduled({ ...facts, template: { ...TEMPLATE, timeTilDormantAutodeleteMs: 0 } });
    clock.advance(DAY_MS - 1);
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    clock.advance(1);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'delete', reason: 'autodelete' }]);
    expect(await buildsOf(kept.workspace.id)).toEqual([]);
  });

  test('waits a day with the next deletion after one that failed', async () => {
    const { workspace } = await givenScheduled({
      transition: 'delete',
      status: 'failed',
      template: TEMPLATE,
      workspace: { dormantAt: ago(31 * DAY_MS), deletingAt: ago(DAY_MS) },
    });
    clock.advance(DAY_MS - 1);
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    clock.advance(1);
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });
});

describe('of several rules at once', () => {
  const UNUSED = { timeTilDormantMs: DAY_MS };

  test('the deadline stands before dormancy, which follows when the stop is over', async () => {
    const { workspace } = await givenScheduled({ transition: 'start', deadline: ahead(DAY_MS), template: UNUSED });
    clock.advance(2 * DAY_MS);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'autostop' }]);
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: null });
    await end(workspace.id);
    await run();
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: clock.now() });
    expect(await buildsOf(workspace.id)).toHaveLength(1);
  });

  test('the autostart stands before dormancy', async () => {
    const { workspace } = await givenScheduled({ workspace: { autostartSchedule: '0 13 * * *' }, template: UNUSED });
    clock.advance(2 * DAY_MS);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'start', reason: 'autostart' }]);
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: null });
  });

  test('a failed start is stopped before it becomes dormant', async () => {
    const { workspace } = await givenScheduled({
      transition: 'start',
      status: 'failed',
      template: { ...UNUSED, failureTtlMs: HOUR_MS },
    });
    clock.advance(2 * DAY_MS);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop', reason: 'autostop' }]);
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: null });
  });
});
