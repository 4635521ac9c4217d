import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, clock, callAsUser } = await createTestApi({
  quietHoursDefault: 'CRON_TZ=Europe/Lisbon 30 2 * * *',
  allowCustomQuietHours: true,
});
const fixed = await createTestApi({ allowCustomQuietHours: false });
const make = given(prisma);

const DEFAULT = {
  raw_schedule: 'CRON_TZ=Europe/Lisbon 30 2 * * *',
  user_set: false,
  user_can_set: true,
  time: '02:30',
  timezone: 'Europe/Lisbon',
};

describe('the quiet hours of a user', () => {
  test('are the deployment’s until they choose their own, and again when they choose none; each change is recorded', async () => {
    const user = await make.user();
    const { quietHours } = callAsUser(user.id);
    await expect(quietHours.get({ user: 'me' })).resolves.toEqual([{ ...DEFAULT, next: expect.any(String) }]);
    const [chosen] = await quietHours.update({ user: 'me', schedule: ' CRON_TZ=America/New_York 5 22 * * * ' });
    expect(chosen).toMatchObject({
      raw_schedule: 'CRON_TZ=America/New_York 5 22 * * *',
      user_set: true,
      user_can_set: true,
      time: '22:05',
      timezone: 'America/New_York',
    });
    const next = new Date(chosen?.next ?? '').getTime() - clock.now().getTime();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(25 * 3_600_000);
    await expect(quietHours.get({ user: user.username })).resolves.toEqual([chosen]);
    await quietHours.update({ user: 'me', schedule: 'CRON_TZ=America/New_York 5 22 * * *' });
    await expect(quietHours.update({ user: 'me', schedule: '' })).resolves.toMatchObject([DEFAULT]);
    const rows = await prisma.auditLog.findMany({ where: { resourceId: user.id }, orderBy: { time: 'asc' } });
    expect(rows).toMatchObject([
      { resourceType: 'user', action: 'write', diff: { quiet_hours_schedule: { old: '', new: 'CRON_TZ=America/New_York 5 22 * * *' } } },
      { resourceType: 'user', action: 'write', diff: { quiet_hours_schedule: { new: '' } } },
    ]);
  });

  test('without a zone are those of UTC', async () => {
    const user = await make.user();
    const [chosen] = await callAsUser(user.id).quietHours.update({ user: 'me', schedule: '0 4 * * *' });
    expect(chosen).toMatchObject({ raw_schedule: 'CRON_TZ=UTC 0 4 * * *', timezone: 'UTC', time: '04:00' });
  });

  test('begin once a day: anything else is refused by its field', async () => {
    const user = await make.user();
    for (const schedule of ['nonsense', '0 4 * * 1', '0,30 4 * * *', '0 4-6 * * *', '0 4 1 * *', 'CRON_TZ=Nowhere/Land 0 4 * * *']) {
      await expect(callAsUser(user.id).quietHours.update({ user: 'me', schedule }), schedule).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        cause: { validations: [{ field: 'schedule' }] },
      });
    }
  });

  test('are nobody else’s to read or set but those who manage accounts', async () => {
    const user = await make.user();
    const manager = await make.user({ siteRoles: ['user-admin'] });
    const auditor = await make.user({ siteRoles: ['auditor'] });
    const input = { user: user.id, schedule: '0 4 * * *' };
    await expect(callAsUser(manager.id).quietHours.update(input)).resolves.toMatchObject([{ user_set: true }]);
    await expect(callAsUser(auditor.id).quietHours.update(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(auditor.id).quietHours.get(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser((await make.user()).id).quietHours.update(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are the deployment’s for everybody where users may not choose, whatever was stored', async () => {
    const user = await given(fixed.prisma).user({ quietHoursSchedule: '0 4 * * *' });
    const { quietHours } = fixed.callAsUser(user.id);
    await expect(quietHours.get({ user: 'me' })).resolves.toMatchObject([
      { user_set: false, user_can_set: false, time: '00:00', timezone: 'UTC' },
    ]);
    await expect(quietHours.update({ user: 'me', schedule: '0 5 * * *' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
