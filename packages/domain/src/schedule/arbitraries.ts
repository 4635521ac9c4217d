import fc from 'fast-check';
import { AUTOMATIC_UPDATES, JOB_STATUSES, TRANSITIONS, USER_STATUSES } from '../enums.ts';
import type { Cron } from './cron.ts';
import type { ScheduleFacts } from './facts.ts';
import { effectiveQuietHours } from './quiet-hours.ts';

/** Zones whose clocks do what clocks do: not change, change at night, at midnight, by half an hour, in the south, against the sun. */
const ZONES = [
  'UTC',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Beirut',
  'Antarctica/Troll',
  'Pacific/Auckland',
] as const;

const subsetOf = (count: number, most: number): fc.Arbitrary<number[]> =>
  fc
    .uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: most })
    .map((values) => values.toSorted((first, second) => first - second));

/** Whole minutes of a few years in which all of the zones change their clocks. */
export const minute = (): fc.Arbitrary<Date> =>
  fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2029, 0, 1) / 60_000 }).map((count) => new Date(count * 60_000));

export const instant = (): fc.Arbitrary<Date> => fc.tuple(minute(), fc.nat({ max: 59_999 })).map(([at, ms]) => new Date(at.getTime() + ms));

export const cron = (): fc.Arbitrary<Cron> =>
  fc.record({ minutes: subsetOf(60, 4), hours: subsetOf(24, 6), weekdays: subsetOf(7, 7), timezone: fc.constantFrom(...ZONES) });

export const dayMask = (): fc.Arbitrary<number> => fc.nat({ max: 0b111_1111 });

const HOUR_MS = 3_600_000;
const lengthMs = (): fc.Arbitrary<number> => fc.oneof(fc.constant(0), fc.integer({ min: 60_000, max: 30 * 24 * HOUR_MS }));

export const quietHours = () =>
  fc
    .tuple(fc.nat({ max: 59 }), fc.nat({ max: 23 }), fc.constantFrom(...ZONES))
    .map(([at, hour, zone]) => effectiveQuietHours({ own: `CRON_TZ=${zone} ${at} ${hour} * * *`, deployment: '' }));

const autostart = (): fc.Arbitrary<string | null> =>
  fc
    .option(fc.tuple(fc.nat({ max: 59 }), fc.nat({ max: 23 }), fc.constantFrom(...ZONES), fc.constantFrom('*', '1-5', '6,0')))
    .map((parts) => (parts === null ? null : `CRON_TZ=${parts[2]} ${parts[0]} ${parts[1]} * * ${parts[3]}`));

const around = (now: Date): fc.Arbitrary<Date> =>
  fc.integer({ min: -40 * 24 * HOUR_MS, max: 0 }).map((offset) => new Date(now.getTime() + offset));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });

/** A workspace at some moment, whatever state it and its template are in. */
export const factsAt = (now: Date): fc.Arbitrary<ScheduleFacts> =>
  fc.record({
    ownerStatus: fc.constantFrom(...USER_STATUSES),
    quietHours: quietHours(),
    workspace: fc.record({
      ttlMs: maybe(lengthMs()),
      autostartSchedule: autostart(),
      autostartSince: maybe(around(now)),
      automaticUpdates: fc.constantFrom(...AUTOMATIC_UPDATES),
      lastUsedAt: around(now),
      dormantAt: maybe(around(now)),
      deletingAt: maybe(fc.integer({ min: -24 * HOUR_MS, max: 240 * HOUR_MS }).map((offset) => new Date(now.getTime() + offset))),
    }),
    template: fc.record({
      defaultTtlMs: lengthMs(),
      activityBumpMs: lengthMs(),
      failureTtlMs: lengthMs(),
      timeTilDormantMs: lengthMs(),
      timeTilDormantAutodeleteMs: lengthMs(),
      autostopRequirement: fc.record({ daysOfWeek: dayMask(), weeks: fc.nat({ max: 16 }) }),
      autostartDaysOfWeek: dayMask(),
      allowUserAutostart: fc.boolean(),
      allowUserAutostop: fc.boolean(),
      requireActiveVersion: fc.boolean(),
    }),
    build: fc
      .record({
        transition: fc.constantFrom(...TRANSITIONS),
        status: fc.constantFrom(...JOB_STATUSES.filter((status) => status !== 'unknown')),
        createdAt: around(now),
        deadline: maybe(fc.integer({ min: -HOUR_MS, max: 100 * HOUR_MS }).map((offset) => new Date(now.getTime() + offset))),
        maxDeadline: maybe(fc.integer({ min: 100 * HOUR_MS, max: 200 * HOUR_MS }).map((offset) => new Date(now.getTime() + offset))),
      })
      .map((build) => ({
        ...build,
        completedAt: ['succeeded', 'failed', 'canceled'].includes(build.status) ? build.createdAt : null,
        deadlineRule: build.deadline === null ? ('' as const) : ('ttl' as const),
      })),
  });
