import { newId } from '@berth/core';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, clock, callAsUser } = await createTestApi();
const make = given(prisma);
clock.advance(Date.parse('2026-03-10T22:30:00Z') - clock.now().getTime());

const HALF_HOUR_MS = 30 * 60_000;
const WEEK = { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-09T00:00:00Z' };

interface Bucket {
  readonly startTime: Date;
  readonly templateId: string;
  readonly userId: string;
  readonly app: string;
  readonly minutes: number;
}

const write = (buckets: readonly Bucket[]) =>
  prisma.templateUsageBucket.createMany({ data: buckets.map((bucket) => ({ ...bucket, lastMinute: bucket.startTime })) });
const at = (time: string) => new Date(`2026-03-${time}Z`);

async function givenPlace() {
  const { organization, template } = await make.template();
  const [admin, one, other] = await Promise.all([
    make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] }),
    make.user({ memberOf: [organization.id] }),
    make.user({ memberOf: [organization.id] }),
  ]);
  const bucket = (time: string, userId: string, app = '', minutes = 30): Bucket => ({
    startTime: at(time),
    templateId: template.id,
    userId,
    app,
    minutes,
  });
  return { organization, template, admin, one, other, bucket, insights: callAsUser(admin.id).insights };
}

describe('activity', () => {
  test('is minutes of use of any kind, so that two apps at once are no two hours', async () => {
    const { template, one, other, bucket, insights } = await givenPlace();
    await write([
      bucket('02T00:00:00', one.id, '', 20),
      bucket('02T00:00:00', one.id, 'ssh', 20),
      bucket('02T00:00:00', one.id, 'vscode', 15),
      bucket('08T23:30:00', one.id, '', 5),
      bucket('03T12:00:00', other.id, 'ssh', 10),
      // Before and after.
      bucket('01T23:30:00', one.id),
      bucket('09T00:00:00', one.id),
    ]);
    const { report } = await insights.userActivity({ ...WEEK, template_ids: [template.id] });
    expect(report).toMatchObject({ ...WEEK, template_ids: [template.id] });
    const person = { template_ids: [template.id], avatar_url: '' };
    expect(report.users).toEqual([
      { ...person, user_id: one.id, username: one.username, seconds: 25 * 60 },
      { ...person, user_id: other.id, username: other.username, seconds: 10 * 60 },
    ]);
  });
});

describe('apps', () => {
  test('are the built-in ones in one order, then those of templates as their active version calls them', async () => {
    const { organization, one, other } = await givenPlace();
    const { template, job } = await make.template({ organization });
    const { agent } = await make.agent({ jobId: job.id });
    await prisma.workspaceApp.create({
      data: { id: newId(), agentId: agent.id, slug: 'code', displayName: 'Code', icon: '/icon/code.svg' },
    });
    const admin = await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] });
    const bucket = (time: string, userId: string, app: string, minutes: number): Bucket => ({
      startTime: at(time),
      templateId: template.id,
      userId,
      app,
      minutes,
    });
    await write([
      bucket('02T10:00:00', one.id, 'app:code', 30),
      bucket('02T10:30:00', one.id, 'app:code', 10),
      bucket('02T12:00:00', one.id, 'app:code', 10),
      bucket('02T10:00:00', other.id, 'app:8080', 1),
      bucket('02T10:00:00', other.id, 'ssh', 2),
    ]);
    const { report } = await callAsUser(admin.id).insights.templates({ ...WEEK, template_ids: [template.id] });
    expect(report?.active_users).toBe(2);
    expect(report?.apps_usage.map(({ type, slug, seconds, times_used }) => [type, slug, seconds, times_used])).toEqual([
      ['builtin', 'vscode', 0, 0],
      ['builtin', 'jetbrains', 0, 0],
      ['builtin', 'reconnecting-pty', 0, 0],
      ['builtin', 'ssh', 120, 1],
      ['builtin', 'sftp', 0, 0],
      ['app', 'code', 3000, 2],
      ['app', '8080', 60, 1],
    ]);
    expect(report?.apps_usage.slice(-2)).toMatchObject([
      { display_name: 'Code', icon: '/icon/code.svg', template_ids: [template.id] },
      { display_name: '8080', icon: '' },
    ]);
  });
});

test('parameters are what workspaces were started with last, by how many of them', async () => {
  const { organization } = await givenPlace();
  const { template, version } = await make.template({
    organization,
    richParameters: [
      { name: 'size', displayName: 'Size', type: 'string', options: [{ name: 'Big', value: 'big', description: '', icon: '' }] },
    ],
  });
  const admin = await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] });
  const started = async (sizes: readonly string[], transition: 'start' | 'stop' = 'start') => {
    const { workspace } = await make.workspace({ organization, template });
    for (const size of sizes) {
      await make.build({ workspace, templateVersionId: version.id, parameters: { size }, transition, createdAt: at('03T10:00:00') });
    }
  };
  await started(['small', 'big']);
  await started(['big']);
  await started(['small']);
  await started(['never'], 'stop');
  const { report } = await callAsUser(admin.id).insights.templates({ ...WEEK, template_ids: [template.id] });
  expect(report?.parameters_usage).toEqual([
    {
      template_ids: [template.id],
      name: 'size',
      display_name: 'Size',
      description: '',
      type: 'string',
      options: [{ name: 'Big', value: 'big', description: '', icon: '' }],
      values: [
        { value: 'big', count: 2 },
        { value: 'small', count: 1 },
      ],
    },
  ]);
});

test('intervals are days as the offset has them, with their own people, and only what is asked for is answered', async () => {
  const { template, one, other, bucket, insights } = await givenPlace();
  await write([bucket('02T22:00:00', one.id), bucket('03T05:00:00', other.id), bucket('03T05:00:00', one.id)]);
  const { report, interval_reports } = await insights.templates({
    start_time: '2026-03-02T00:00:00+02:00',
    end_time: '2026-03-05T00:00:00+02:00',
    interval: 'day',
    template_ids: [template.id],
    sections: ['interval_reports'],
  });
  expect(report).toBeNull();
  expect(interval_reports.map(({ start_time, active_users, template_ids }) => [start_time, active_users, template_ids])).toEqual([
    ['2026-03-02T00:00:00.000+02:00', 0, []],
    ['2026-03-03T00:00:00.000+02:00', 2, [template.id]],
    ['2026-03-04T00:00:00.000+02:00', 0, []],
  ]);
  const weeks = await insights.templates({ ...WEEK, interval: 'week', sections: ['report', 'interval_reports'] });
  expect(weeks.interval_reports).toMatchObject([{ interval: 'week', active_users: 2 }]);
  await expect(insights.templates({ ...WEEK, end_time: '2026-03-05T00:00:00Z', interval: 'week' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('latency is the median and the slowest twentieth of what was measured', async () => {
  const { template, one, other, insights } = await givenPlace();
  const row = (userId: string, time: string, latencies: number[]) => ({ startTime: at(time), templateId: template.id, userId, latencies });
  await prisma.templateLatencyBucket.createMany({
    data: [
      row(one.id, '02T00:00:00', [10, 20, 30]),
      row(one.id, '03T00:00:00', [40, 50]),
      row(other.id, '03T00:00:00', [1.228]),
      row(one.id, '09T00:00:00', [900]),
    ],
  });
  const { report } = await insights.userLatency({ ...WEEK, template_ids: [template.id] });
  expect(report.template_ids).toEqual([template.id]);
  expect(report.users.map(({ user_id, latency_ms }) => [user_id, latency_ms])).toEqual([
    [one.id, { p50: 30, p95: 48 }],
    [other.id, { p50: 1.228, p95: 1.228 }],
  ]);
});

describe('who may ask', () => {
  test('sees those templates whose insights are theirs to see, of other organizations none', async () => {
    const [here, there] = await Promise.all([givenPlace(), givenPlace()]);
    await write([here.bucket('04T10:00:00', here.one.id), there.bucket('04T10:00:00', there.one.id)]);
    const seen = async (userId: string) =>
      (await callAsUser(userId).insights.userActivity(WEEK)).report.users.map(({ user_id }) => user_id);
    expect(await seen(here.admin.id)).toEqual([here.one.id]);
    const auditor = await make.user({ siteRoles: ['auditor'] });
    expect(await seen(auditor.id)).toEqual(expect.arrayContaining([here.one.id, there.one.id]));
    const { entries } = await here.insights.daus({ tz_offset: 0 });
    expect(entries).toHaveLength(61);
    expect(entries.filter(({ amount }) => amount > 0)).toEqual([{ date: '2026-03-04', amount: 1 }]);
  });

  test('is nobody who may see none, nor for a template of others, nor for one that is gone', async () => {
    const [here, there] = await Promise.all([givenPlace(), givenPlace()]);
    const member = callAsUser(here.one.id).insights;
    await expect(member.daus({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member.userActivity(WEEK)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member.userLatency({ ...WEEK, template_ids: [here.template.id] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const both = { ...WEEK, template_ids: [here.template.id, there.template.id] };
    await expect(here.insights.templates(both)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(here.insights.templates({ ...WEEK, template_ids: [newId()] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('learns which field is wrong', async () => {
    const { insights } = await givenPlace();
    const asked = insights.userActivity({ start_time: '2026-03-02T10:00:00Z', end_time: '2026-03-12T00:00:00Z' });
    await expect(asked).rejects.toMatchObject({
      cause: { validations: [{ field: 'start_time' }, { field: 'end_time' }] },
    });
  });
});

test('agrees with a slow computation about any use', { timeout: 60_000 }, async () => {
  const { organization, admin, one, other, insights } = await givenPlace();
  const owner = await make.user({ siteRoles: ['owner'] });
  const templates = [(await make.template({ organization })).template.id, (await make.template({ organization })).template.id];
  const people = [admin.id, one.id, other.id];
  const used = fc.record({
    half: fc.integer({ min: -4, max: 7 * 48 + 4 }),
    templateId: fc.constantFrom(...templates),
    userId: fc.constantFrom(...people),
    app: fc.constantFrom('', 'ssh', 'vscode', 'app:x'),
    minutes: fc.integer({ min: 1, max: 30 }),
  });
  const uses = fc.uniqueArray(used, {
    maxLength: 60,
    selector: ({ half, templateId, userId, app }) => [half, templateId, userId, app].join(' '),
  });
  await fc.assert(
    fc.asyncProperty(uses, async (drawn) => {
      const start = Date.parse(WEEK.start_time);
      const buckets = drawn.map(({ half, ...bucket }): Bucket => ({ ...bucket, startTime: new Date(start + half * HALF_HOUR_MS) }));
      await prisma.templateUsageBucket.deleteMany({ where: { templateId: { in: templates } } });
      await write(buckets);
      const inside = buckets.filter(({ startTime }) => startTime >= new Date(start) && startTime < new Date(WEEK.end_time));
      const asked = { ...WEEK, template_ids: templates };

      const activity = await insights.userActivity(asked);
      const seconds = Object.fromEntries(activity.report.users.map((person) => [person.user_id, person.seconds]));
      expect(seconds).toEqual(slowSeconds(inside));
      const { report, interval_reports } = await callAsUser(owner.id).insights.templates(asked);
      expect(report?.template_ids).toEqual([...new Set(inside.map(({ templateId }) => templateId))].toSorted());
      expect(report?.active_users).toBe(new Set(inside.map(({ userId }) => userId)).size);
      for (const { slug, type, seconds: total, times_used } of report?.apps_usage ?? []) {
        const app = type === 'app' ? `app:${slug}` : slug;
        expect({ slug, total, times_used }).toEqual({ slug, ...slowApp(inside.filter((bucket) => bucket.app === app)) });
      }
      const days = interval_reports.map(({ active_users }) => active_users);
      expect(days).toEqual(
        Array.from({ length: 7 }, (_, day) => {
          const from = start + day * 48 * HALF_HOUR_MS;
          const ofDay = inside.filter(({ startTime }) => startTime.getTime() >= from && startTime.getTime() < from + 48 * HALF_HOUR_MS);
          return new Set(ofDay.map(({ userId }) => userId)).size;
        }),
      );
    }),
    { numRuns: 25 },
  );
});

/** By user: of each half hour the most of any app in each template, thirty minutes at most. */
function slowSeconds(buckets: readonly Bucket[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const ofHalf of Map.groupBy(buckets, ({ userId, startTime }) => `${userId} ${startTime.getTime()}`).values()) {
    const byTemplate = [...Map.groupBy(ofHalf, ({ templateId }) => templateId).values()];
    const minutes = byTemplate.map((ofTemplate) => Math.max(...ofTemplate.map((bucket) => bucket.minutes))).reduce((a, b) => a + b, 0);
    const userId = ofHalf[0]?.userId ?? '';
    totals[userId] = (totals[userId] ?? 0) + Math.min(30, minutes) * 60;
  }
  return totals;
}

function slowApp(buckets: readonly Bucket[]): { total: number; times_used: number } {
  let total = 0;
  let times_used = 0;
  for (const ofPerson of Map.groupBy(buckets, ({ userId }) => userId).values()) {
    const halves = Map.groupBy(ofPerson, ({ startTime }) => startTime.getTime());
    for (const [start, ofHalf] of halves) {
      total +=
        Math.min(
          30,
          ofHalf.reduce((sum, { minutes }) => sum + minutes, 0),
        ) * 60;
      if (!halves.has(start - HALF_HOUR_MS)) times_used += 1;
    }
  }
  return { total, times_used };
}
