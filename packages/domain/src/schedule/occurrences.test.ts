import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cron, dayMask, instant, minute } from './arbitraries.ts';
import type { Cron } from './cron.ts';
import { parseCron } from './cron.ts';
import { ALL_DAYS, hasDay, nextAutostart, nextOccurrence } from './occurrences.ts';
import { isTimeZone } from './zoned-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Clock = (at: number) => number;

/** What a clock on the wall shows, as minutes since 1970 of a clock that never changes. By another way than the one under test. */
function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => new Date(`${format.format(at).replace(' ', 'T')}Z`).getTime() / MINUTE_MS;
}

function isMeant({ minutes, hours, weekdays }: Cron, shown: number, allowed: number): boolean {
  const wall = new Date(shown * MINUTE_MS);
  const day = wall.getUTCDay();
  const isTime = minutes.includes(wall.getUTCMinutes()) && hours.includes(wall.getUTCHours());
  return isTime && weekdays.includes(day) && hasDay(allowed, day);
}

/** Watches the clock for some days, minute by minute: every time that it shows or skips counts once, the first time. */
function watched(schedule: Cron, { from, days, allowed }: { from: Date; days: number; allowed: number }): Date[] {
  const found: Date[] = [];
  const clock = clockOf(schedule.timezone);
  let last = clock(from.getTime());
  for (let at = from.getTime() + MINUTE_MS; at <= from.getTime() + days * DAY_MS; at += MINUTE_MS) {
    const shown = clock(at);
    const passed = Array.from({ length: Math.max(0, shown - last) }, (_, index) => last + 1 + index);
    if (passed.some((time) => isMeant(schedule, time, allowed))) found.push(new Date(at));
    last = Math.max(last, shown);
  }
  return found;
}

function computed(schedule: Cron, { from, days, allowed }: { from: Date; days: number; allowed: number }): Date[] {
  const found: Date[] = [];
  let next = nextOccurrence(schedule, from, allowed);
  while (next !== null && next.getTime() <= from.getTime() + days * DAY_MS) {
    found.push(next);
    next = nextOccurrence(schedule, next, allowed);
  }
  return found;
}

/** The minute before a zone changes its clock. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-29T00:59:00Z'],
  ['Europe/Berlin', '2026-10-25T00:59:00Z'],
  ['America/New_York', '2027-03-14T06:59:00Z'],
  ['America/New_York', '2027-11-07T05:59:00Z'],
  ['America/Santiago', '2026-09-06T03:59:00Z'],
  ['America/Santiago', '2027-04-04T02:59:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T14:59:00Z'],
  ['Asia/Beirut', '2027-03-27T21:59:00Z'],
  ['Africa/Cairo', '2027-04-29T21:59:00Z'],
  ['Antarctica/Troll', '2027-03-28T00:59:00Z'],
] as const;

describe('the next time of a schedule', () => {
  test('lies after the moment asked for, within eight days', () => {
    fc.assert(
      fc.property(cron(), instant(), (schedule, after) => {
        const next = nextOccurrence(schedule, after);
        expect(next).not.toBeNull();
        if (next === null) return;
        expect(next.getTime()).toBeGreaterThan(after.getTime());
        expect(next.getTime()).toBeLessThanOrEqual(after.getTime() + 8 * DAY_MS);
      }),
      { numRuns: 500 },
    );
  });

  test('is what a person with a clock on the wall would find, none skipped and none twice', () => {
    fc.assert(
      fc.property(cron(), minute(), dayMask(), (schedule, from, allowed) => {
        const span = { from, days: 2, allowed };
        expect(computed(schedule, span)).toEqual(watched(schedule, span));
      }),
      { numRuns: 40 },
    );
  });

  test('also on the days when clocks change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CHANGES), cron(), fc.nat({ max: 600 }), ([timezone, change], schedule, early) => {
        const span = { from: new Date(new Date(change).getTime() - early * MINUTE_MS), days: 1, allowed: ALL_DAYS };
        const night = { ...schedule, hours: [0, 1, 2, 3], weekdays: [0, 1, 2, 3, 4, 5, 6], timezone };
        expect(computed(night, span)).toEqual(watched(night, span));
      }),
      { numRuns: 60 },
    );
  });

  test('does not depend on where between two times one asks', () => {
    fc.assert(
      fc.property(cron(), instant(), fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (schedule, after, share) => {
        const next = nextOccurrence(schedule, after);
        if (next === null) return;
        const between = new Date(after.getTime() + Math.floor(share * (next.getTime() - after.getTime())));
        expect(nextOccurrence(schedule, between)).toEqual(next);
      }),
    );
  });

  test('is none when the template allows no day of the schedule', () => {
    const after = new Date('2027-01-13T12:00:00Z');
    expect(nextAutostart({ schedule: '0 9 * * 1-5', after, allowedDays: 0b110_0000 })).toBeNull();
    expect(nextAutostart({ schedule: '0 9 * * 1-5', after, allowedDays: 0 })).toBeNull();
    expect(nextAutostart({ schedule: null, after, allowedDays: ALL_DAYS })).toBeNull();
    expect(nextAutostart({ schedule: 'nonsense', after, allowedDays: ALL_DAYS })).toBeNull();
  });

  test.each([
    ['0 9 * * *', '2027-01-14T09:00:00.000Z'],
    ['30 13 * * *', '2027-01-13T13:30:00.000Z'],
    ['TZ=America/New_York 30 7 * * *', '2027-01-13T12:30:00.000Z'],
    ['CRON_TZ=Asia/Tokyo 0 9 * * mon', '2027-01-18T00:00:00.000Z'],
    ['0 9 * * 7', '2027-01-17T09:00:00.000Z'],
    ['*/20 12 * * *', '2027-01-13T12:20:00.000Z'],
    ['50/5 11 * * *', '2027-01-14T11:50:00.000Z'],
  ])('of %s after a Wednesday noon is %s', (schedule, expected) => {
    const parsed = parseCron(schedule);
    expect(parsed.ok && nextOccurrence(parsed.cron, new Date('2027-01-13T12:00:00Z'))?.toISOString()).toBe(expected);
  });
});

test('a zone has a name of the IANA data, and is never the server’s own', () => {
  expect(['UTC', 'Europe/Berlin', 'us/central', 'Etc/GMT+5'].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(['', 'local', 'Local', '+05:00', 'Mars/Base', '../etc/passwd'].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
