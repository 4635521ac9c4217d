import { autostartProblem } from '@berth/domain';
import { expect, test } from 'vitest';
import { autostartOf, defaultAutostart, nextTimes, scheduleOf } from './autostart-form.ts';

test('what the form makes, the server takes, and the form reads again', () => {
  const values = { time: '08:05', days: ['monday', 'sunday'] as const, zone: 'Europe/Lisbon' };
  const schedule = scheduleOf(values);
  expect(schedule).toBe('CRON_TZ=Europe/Lisbon 5 8 * * 0,1');
  expect(autostartProblem(schedule ?? '')).toBeNull();
  expect(autostartOf(schedule ?? '')).toEqual(values);
  expect(scheduleOf({ ...values, days: [] })).toBeNull();
  expect(scheduleOf({ ...values, time: '' })).toBeNull();
});

test('every day is one star', () => {
  const every = autostartOf('CRON_TZ=UTC 30 9 * * *');
  expect(every?.days).toHaveLength(7);
  expect(scheduleOf(every ?? defaultAutostart('UTC'))).toBe('CRON_TZ=UTC 30 9 * * *');
});

test('a schedule that says more than the form can is not cut down to what it can', () => {
  expect(autostartOf('CRON_TZ=UTC 0,30 9 * * 1')).toBeNull();
  expect(autostartOf('nonsense')).toBeNull();
});

test('the preview keeps to the wall clock when clocks change', () => {
  // Clocks in Berlin go back in the night to Sunday 25 October 2026.
  const times = nextTimes('CRON_TZ=Europe/Berlin 0 9 * * *', new Date('2026-10-23T12:00:00Z')).map((time) => time.toISOString());
  expect(times).toEqual(['2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z', '2026-10-26T08:00:00.000Z']);
});
