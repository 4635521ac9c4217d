import { describe, expect, it } from 'vitest';
import { autostartProblem } from './cron.ts';

describe('an autostart schedule', () => {
  it.each(['30 9 * * 1-5', '0 8 * * mon,Wed,5', 'CRON_TZ=US/Central */15 7-9/2 * * *', 'TZ=UTC 0 0 * * 0', '0 0 * * 7'])(
    'may be %s',
    (schedule) => {
      expect(autostartProblem(schedule)).toBeNull();
    },
  );

  it.each([
    ['', 'five fields'],
    ['@daily', 'five fields'],
    ['0 9 * *', 'five fields'],
    ['0 9 * * * *', 'five fields'],
    ['0 9 1 * *', 'must be \\*'],
    ['0 9 * 6 *', 'must be \\*'],
    ['60 9 * * *', 'minute'],
    ['0 24 * * *', 'hour'],
    ['0 9 * * 8', 'weekday'],
    ['0 9 * * fri-mon', 'weekday'],
    ['0 5-1 * * *', 'hour'],
    ['0 */0 * * *', 'hour'],
    ['1- 9 * * *', 'minute'],
    ['CRON_TZ=Nowhere/Land 0 9 * * *', 'time zone'],
    ['CRON_TZ=Local 0 9 * * *', 'time zone'],
  ])('may not be %s', (schedule, problem) => {
    expect(autostartProblem(schedule)).toMatch(new RegExp(problem));
  });
});
