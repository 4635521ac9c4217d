import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../../testing/index.ts';

const { prisma, clock, callAsUser } = await createTestApi();
const make = given(prisma);
clock.advance(Date.parse('2026-03-10T22:30:00Z') - clock.now().getTime());

async function givenUsed(times: readonly string[]) {
  const { organization, template } = await make.template();
  const admin = await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] });
  const user = await make.user({ memberOf: [organization.id] });
  const bucket = (startTime: string, userId: string, app = '') => ({
    startTime,
    templateId: template.id,
    userId,
    app,
    lastMinute: startTime,
  });
  await prisma.templateUsageBucket.createMany({
    data: times.flatMap((time) => [bucket(time, user.id), bucket(time, user.id, 'ssh'), bucket(time, admin.id)]),
  });
  return { template, caller: callAsUser(admin.id), member: callAsUser(user.id) };
}

test('counts each person once a day, over the last sixty days and today, zeros included', async () => {
  const { template, caller } = await givenUsed([
    '2026-03-10T01:00:00Z',
    '2026-03-10T22:00:00Z',
    '2026-01-09T12:00:00Z',
    '2026-01-08T12:00:00Z',
  ]);
  const { entries, tz_hour_offset } = await caller.templates.daus({ template: template.id, tz_offset: 0 });
  expect(tz_hour_offset).toBe(0);
  expect(entries).toHaveLength(61);
  expect(entries[0]).toEqual({ date: '2026-01-09', amount: 2 });
  expect(entries.at(-1)).toEqual({ date: '2026-03-10', amount: 2 });
  expect(entries.filter(({ amount }) => amount > 0)).toHaveLength(2);
});

test('days begin where the offset says', async () => {
  const { template, caller } = await givenUsed(['2026-03-10T22:00:00Z', '2026-03-10T03:00:00Z']);
  const days = async (tz_offset: number) =>
    (await caller.templates.daus({ template: template.id, tz_offset })).entries.filter(({ amount }) => amount > 0).map(({ date }) => date);
  expect(await days(2)).toEqual(['2026-03-10', '2026-03-11']);
  expect(await days(-4)).toEqual(['2026-03-09', '2026-03-10']);
  expect((await caller.templates.daus({ template: template.id, tz_offset: 2 })).entries.at(-1)?.date).toBe('2026-03-11');
});

test('are for those who may see insights, and offsets are those of the earth', async () => {
  const { template, caller, member } = await givenUsed([]);
  await expect(member.templates.daus({ template: template.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(caller.templates.daus({ template: template.id, tz_offset: 15 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
