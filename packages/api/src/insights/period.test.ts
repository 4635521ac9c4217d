import { describe, expect, test } from 'vitest';
import { atOffset, intervalsOf, readPeriod } from './period.ts';

const NOW = new Date('2026-03-10T14:20:00Z');
const read = (start_time: string, end_time: string) => readPeriod({ start_time, end_time }, NOW);
const problems = (start_time: string, end_time: string): unknown => {
  try {
    read(start_time, end_time);
    return null;
  } catch (error) {
    return error;
  }
};
const refusal = (...fields: readonly string[]) => ({
  kind: 'invalid',
  validations: fields.map((field) => expect.objectContaining({ field })),
});

describe('a period', () => {
  test.each([
    ['whole days', '2026-03-01T00:00:00Z', '2026-03-10T00:00:00Z'],
    ['days of another offset', '2026-03-01T00:00:00+05:45', '2026-03-10T00:00:00+05:45'],
    ['days across a change of the clocks', '2026-03-01T00:00:00-05:00', '2026-03-10T00:00:00-04:00'],
    ['up to the last full hour of today', '2026-03-01T00:00:00Z', '2026-03-10T14:00:00Z'],
    ['up to the next full hour', '2026-03-01T00:00:00Z', '2026-03-10T15:00:00Z'],
    ['up to an hour of the day that is today there', '2026-03-01T00:00:00+10:00', '2026-03-11T00:00:00+10:00'],
    ['nothing at all', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['a year that leaps', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ])('may be %s', (_, start, end) => {
    expect(read(start, end)).toMatchObject({ start: new Date(start), end: new Date(end) });
  });

  test.each([
    ['begins in the middle of a day', '2026-03-01T01:00:00Z', '2026-03-10T00:00:00Z', ['start_time']],
    ['begins at a midnight of another offset', '2026-03-01T00:00:00+02:30', '2026-03-10T00:30:00Z', ['end_time']],
    ['ends within an earlier day', '2026-03-01T00:00:00Z', '2026-03-09T13:00:00Z', ['end_time']],
    ['ends within an hour of today', '2026-03-01T00:00:00Z', '2026-03-10T14:20:00Z', ['end_time']],
    ['ends in the future', '2026-03-01T00:00:00Z', '2026-03-11T00:00:00Z', ['end_time']],
    ['is in the future', '2026-03-12T00:00:00Z', '2026-03-13T00:00:00Z', ['start_time', 'end_time']],
    ['ends before it begins', '2026-03-05T00:00:00Z', '2026-03-01T00:00:00Z', ['end_time']],
    ['is longer than a year', '2024-01-01T00:00:00Z', '2025-01-02T00:00:00Z', ['end_time']],
    ['was not given', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z', ['start_time', 'end_time']],
  ])('that %s is refused by name', (_, start, end, fields) => {
    expect(problems(start, end)).toMatchObject(refusal(...fields));
  });
});

describe('its intervals', () => {
  const days = (end: string, interval: 'day' | 'week') =>
    intervalsOf(read('2026-02-23T00:00:00Z', end), interval).map(
      ({ start, end: until }) => (until.getTime() - start.getTime()) / 3_600_000,
    );

  test('are days and weeks of which the last ends with the period', () => {
    expect(days('2026-02-26T00:00:00Z', 'day')).toEqual([24, 24, 24]);
    expect(days('2026-03-10T14:00:00Z', 'day').slice(-2)).toEqual([24, 14]);
    expect(days('2026-03-09T00:00:00Z', 'week')).toEqual([168, 168]);
    expect(days('2026-03-08T00:00:00Z', 'week')).toEqual([168, 144]);
    expect(days('2026-02-23T00:00:00Z', 'day')).toEqual([]);
  });

  test('refuse a last week that would look like a drop', () => {
    expect(() => days('2026-03-07T00:00:00Z', 'week')).toThrow(expect.objectContaining(refusal('interval')));
  });
});

test('an instant is written as clocks at the offset show it', () => {
  const instant = new Date('2026-03-09T18:15:00Z');
  expect(atOffset(instant, 0)).toBe('2026-03-09T18:15:00.000Z');
  expect(atOffset(instant, (5 * 60 + 45) * 60_000)).toBe('2026-03-10T00:00:00.000+05:45');
  expect(atOffset(instant, -3.5 * 3_600_000)).toBe('2026-03-09T14:45:00.000-03:30');
});
