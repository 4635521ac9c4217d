import { expect, test } from 'vitest';
import { lastDays, periodOf } from './period.ts';

const NOW = new Date(2026, 2, 14, 15, 20);
const days = ({ from, to }: { from: string; to: string }): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;

test('without a wish it is the last thirty days, up to the next full hour', () => {
  const period = periodOf({}, NOW);
  expect(period).toMatchObject({ from: '2026-02-13', to: '2026-03-14' });
  expect(new Date(period.start_time)).toEqual(new Date(2026, 1, 13));
  expect(new Date(period.end_time)).toEqual(new Date(2026, 2, 14, 16));
  expect(period.end_time).toMatch(/^2026-03-14T16:00:00[+-]\d\d:\d\d$/);
});

test('an earlier period ends with the midnight after its last day', () => {
  const period = periodOf({ from: '2026-01-01', to: '2026-01-31' }, NOW);
  expect([new Date(period.start_time), new Date(period.end_time)]).toEqual([new Date(2026, 0, 1), new Date(2026, 1, 1)]);
});

test('weeks are whole: the period begins earlier where it has to', () => {
  const period = periodOf({ from: '2026-03-01', to: '2026-03-14', interval: 'week' }, NOW);
  expect(period.from).toBe('2026-03-01');
  const widened = periodOf({ from: '2026-03-05', to: '2026-03-14', interval: 'week' }, NOW);
  expect([widened.from, days(widened)]).toEqual(['2026-03-01', 14]);
});

test('whatever an address says, the server is never asked for the future or for more than a year', () => {
  expect(periodOf({ from: '2031-01-01', to: '2032-01-01' }, NOW)).toMatchObject({ from: '2026-03-14', to: '2026-03-14' });
  expect(days(periodOf({ from: '1999-01-01' }, NOW))).toBe(366);
  expect(days(periodOf({ from: '1999-01-01', interval: 'week' }, NOW))).toBe(364);
  expect(periodOf({ from: '2026-03-10', to: '2026-03-02' }, NOW)).toMatchObject({ from: '2026-03-02', to: '2026-03-02' });
});

test('the last seven days end today', () => {
  expect(lastDays(7, NOW)).toEqual({ from: '2026-03-08', to: '2026-03-14' });
});
