import { expect, test } from 'vitest';
import { QUIET_HOURS_DEFAULT, effectiveQuietHours, nextQuietTime, quietHoursProblem } from './quiet-hours.ts';

test.each(['30 22 * * *', 'CRON_TZ=Europe/Lisbon 0 4 * * *', 'TZ=UTC 5 0 * * *', QUIET_HOURS_DEFAULT])(
  'quiet hours may be %s: one time, every day',
  (schedule) => expect(quietHoursProblem(schedule)).toBeNull(),
);

test.each([
  ['', 'five fields'],
  ['0,30 22 * * *', 'one minute and one hour'],
  ['0 20-23 * * *', 'one minute and one hour'],
  ['*/5 22 * * *', 'one minute and one hour'],
  ['0 22 * * 1-5', 'every day'],
  ['0 22 1 * *', 'must be \\*'],
  ['60 22 * * *', 'minute'],
  ['CRON_TZ=Nowhere 0 22 * * *', 'time zone'],
])('quiet hours may not be "%s"', (schedule, problem) => {
  expect(quietHoursProblem(schedule)).toMatch(new RegExp(problem));
});

test('a user’s own quiet hours stand before the deployment’s, and what is not sound is passed over', () => {
  const deployment = 'CRON_TZ=Asia/Tokyo 0 1 * * *';
  expect(effectiveQuietHours({ own: '30 22 * * *', deployment })).toMatchObject({ hour: 22, minute: 30 });
  expect(effectiveQuietHours({ own: '', deployment })).toMatchObject({ hour: 1, minute: 0, cron: { timezone: 'Asia/Tokyo' } });
  expect(effectiveQuietHours({ own: 'never', deployment: 'ever' })).toMatchObject({ hour: 0, minute: 0, cron: { timezone: 'UTC' } });
});

test('quiet hours begin next strictly after the moment asked for', () => {
  const quietHours = effectiveQuietHours({ own: 'CRON_TZ=America/New_York 30 22 * * *', deployment: '' });
  const begin = new Date('2027-01-14T03:30:00Z');
  expect(nextQuietTime(quietHours, new Date('2027-01-13T12:00:00Z'))).toEqual(begin);
  expect(nextQuietTime(quietHours, begin)).toEqual(new Date('2027-01-15T03:30:00Z'));
});
