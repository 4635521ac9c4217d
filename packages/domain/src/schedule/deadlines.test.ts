import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsAt, instant, quietHours } from './arbitraries.ts';
import {
  EXTEND_MIN_MS,
  MAX_DEADLINE_LEEWAY_MS,
  buildDeadlines,
  bumpedDeadline,
  deadlineFacts,
  extendProblem,
  recomputedDeadlines,
  requiredStop,
} from './deadlines.ts';
import { addDays, hasDay, weekdayOf } from './occurrences.ts';
import { effectiveQuietHours } from './quiet-hours.ts';
import { wallTimeOf } from './zoned-time.ts';

const HOUR_MS = 3_600_000;
/** A Wednesday. */
const now = new Date('2027-01-13T12:00:00Z');
const at = (text: string): Date => new Date(text);
const UTC_MIDNIGHT = effectiveQuietHours({ own: '', deployment: '' });
const quietAt = (own: string) => effectiveQuietHours({ own, deployment: '' });

const NOTHING = {
  ttlMs: null,
  templateDefaultTtlMs: 0,
  allowUserAutostop: true,
  autostopRequirement: { daysOfWeek: 0, weeks: 1 },
  quietHours: UTC_MIDNIGHT,
  autostartSchedule: null,
  allowedAutostartDays: 0b111_1111,
};
const MONDAY = 0b000_0001;
const THURSDAY = 0b000_1000;
const EVERY_DAY = 0b111_1111;

describe('the deadline of a start', () => {
  test('is the time to live after it, of the workspace or of the template, and says which', () => {
    expect(buildDeadlines({ ...NOTHING, now })).toEqual({ deadline: null, deadlineRule: '', maxDeadline: null });
    expect(buildDeadlines({ ...NOTHING, now, ttlMs: HOUR_MS, templateDefaultTtlMs: 2 * HOUR_MS })).toMatchObject({
      deadline: at('2027-01-13T13:00:00Z'),
      deadlineRule: 'ttl',
    });
    const decided = { ...NOTHING, ttlMs: HOUR_MS, templateDefaultTtlMs: 2 * HOUR_MS, allowUserAutostop: false };
    expect(buildDeadlines({ ...decided, now })).toMatchObject({ deadline: at('2027-01-13T14:00:00Z'), deadlineRule: 'template_ttl' });
  });

  test('goes over the next autostart by another time to live, so that nobody who comes in the morning is stopped then', () => {
    const facts = { ...NOTHING, now, ttlMs: 24 * HOUR_MS, autostartSchedule: '0 9 * * *' };
    expect(buildDeadlines(facts)).toMatchObject({ deadline: at('2027-01-15T09:00:00Z'), deadlineRule: 'autostart' });
    expect(buildDeadlines({ ...facts, ttlMs: 21 * HOUR_MS })).toMatchObject({ deadline: at('2027-01-14T09:00:00Z'), deadlineRule: 'ttl' });
    // Thursday is not allowed.
    expect(buildDeadlines({ ...facts, allowedAutostartDays: EVERY_DAY & ~THURSDAY })).toMatchObject({ deadlineRule: 'ttl' });
  });

  test('gives way to what the template demands', () => {
    const facts = { ...NOTHING, now, autostopRequirement: { daysOfWeek: EVERY_DAY, weeks: 1 } };
    const midnight = at('2027-01-14T00:00:00Z');
    const demanded = { deadline: midnight, deadlineRule: 'autostop_requirement', maxDeadline: midnight };
    expect(buildDeadlines(facts)).toEqual(demanded);
    expect(buildDeadlines({ ...facts, ttlMs: 30 * HOUR_MS })).toEqual(demanded);
    expect(buildDeadlines({ ...facts, ttlMs: HOUR_MS })).toMatchObject({ deadlineRule: 'ttl', maxDeadline: midnight });
  });

  test('is never after the longest deadline, and there is one wherever anything asks for one', () => {
    fc.assert(
      fc.property(instant(), factsAt(now), (start, facts) => {
        const given = deadlineFacts(facts);
        const { deadline, deadlineRule, maxDeadline } = buildDeadlines({ ...given, now: start });
        expect(deadline === null).toBe(deadlineRule === '');
        if (maxDeadline !== null) expect(deadline?.getTime()).toBeLessThanOrEqual(maxDeadline.getTime());
        if (deadline !== null) expect(deadline.getTime()).toBeGreaterThan(start.getTime());
        expect(maxDeadline === null).toBe(given.autostopRequirement.daysOfWeek === 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the autostop requirement', () => {
  const required = (from: string, { daysOfWeek = EVERY_DAY, weeks = 1, own = '' } = {}) =>
    requiredStop({ now: at(from), autostopRequirement: { daysOfWeek, weeks }, quietHours: quietAt(own) })?.toISOString();

  test('stops at the quiet hours of the next required day', () => {
    expect(required('2027-01-13T12:00:00Z')).toBe('2027-01-14T00:00:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { daysOfWeek: MONDAY })).toBe('2027-01-18T00:00:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { own: 'CRON_TZ=America/New_York 30 22 * * *' })).toBe('2027-01-14T03:30:00.000Z');
  });

  test('leaves at least two hours', () => {
    expect(required('2027-01-13T22:00:00Z')).toBe('2027-01-14T00:00:00.000Z');
    expect(required('2027-01-13T22:00:01Z')).toBe('2027-01-15T00:00:00.000Z');
    expect(required('2027-01-13T20:00:00Z', { own: '0 22 * * *' })).toBe('2027-01-13T22:00:00.000Z');
    expect(required('2027-01-13T20:00:01Z', { own: '0 22 * * *' })).toBe('2027-01-14T22:00:00.000Z');
  });

  test('counts quiet hours of the last quarter before midnight to the day after', () => {
    expect(required('2027-01-13T12:00:00Z', { daysOfWeek: THURSDAY, own: '50 23 * * *' })).toBe('2027-01-13T23:50:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { daysOfWeek: THURSDAY, own: '45 23 * * *' })).toBe('2027-01-14T23:45:00.000Z');
  });

  test('comes every so many weeks since Monday, 2 January 2023', () => {
    // Week 210 begins on 11 January 2027, week 212 on the 25th.
    expect(required('2027-01-13T12:00:00Z', { weeks: 2, daysOfWeek: THURSDAY })).toBe('2027-01-14T00:00:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { weeks: 2, daysOfWeek: MONDAY })).toBe('2027-01-25T00:00:00.000Z');
    expect(required('2027-01-19T12:00:00Z', { weeks: 2 })).toBe('2027-01-25T00:00:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { weeks: 16, daysOfWeek: MONDAY })).toBe('2027-04-19T00:00:00.000Z');
    expect(required('2027-01-13T12:00:00Z', { weeks: 0 })).toBe('2027-01-14T00:00:00.000Z');
  });

  test('stops on a required day of a required week at the time of the quiet hours, two hours away, on the first such day', () => {
    fc.assert(
      fc.property(
        instant(),
        fc.integer({ min: 1, max: 127 }),
        fc.integer({ min: 1, max: 16 }),
        quietHours(),
        (from, daysOfWeek, weeks, quiet) => {
          const stop = requiredStop({ now: from, autostopRequirement: { daysOfWeek, weeks }, quietHours: quiet });
          expect(stop).not.toBeNull();
          if (stop === null) return;
          expect(stop.getTime()).toBeGreaterThanOrEqual(from.getTime() + MAX_DEADLINE_LEEWAY_MS);
          expect(stop.getTime()).toBeLessThan(from.getTime() + (7 * (weeks + 1) + 3) * 24 * HOUR_MS);
          const shown = wallTimeOf(stop, quiet.cron.timezone);
          const wall = addDays(shown, shown.hour === 23 && shown.minute > 45 ? 1 : 0);
          expect(hasDay(daysOfWeek, weekdayOf(wall))).toBe(true);
          const week = Math.floor((Date.UTC(wall.year, wall.month - 1, wall.day) - Date.UTC(2023, 0, 2)) / (7 * 24 * HOUR_MS));
          expect(week % weeks).toBe(0);
          // Asked again from the earliest moment that it answers for, it says the same.
          const asked = new Date(stop.getTime() - MAX_DEADLINE_LEEWAY_MS);
          expect(requiredStop({ now: asked, autostopRequirement: { daysOfWeek, weeks }, quietHours: quiet })).toEqual(stop);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('activity', () => {
  const RUNNING = {
    ...NOTHING,
    now,
    activityBumpMs: HOUR_MS,
    deadline: at('2027-01-13T12:30:00Z'),
    deadlineRule: 'ttl' as const,
    maxDeadline: null,
  };

  test('moves the deadline to a bump ahead, and never back', () => {
    expect(bumpedDeadline(RUNNING)).toEqual({ deadline: at('2027-01-13T13:00:00Z'), deadlineRule: 'activity' });
    expect(bumpedDeadline({ ...RUNNING, deadline: at('2027-01-13T18:00:00Z') })).toBeNull();
    expect(bumpedDeadline({ ...RUNNING, deadline: null })).toBeNull();
    expect(bumpedDeadline({ ...RUNNING, activityBumpMs: 0 })).toBeNull();
  });

  test('counts again when a twentieth of the bump has passed since the last', () => {
    const bumped = { ...RUNNING, deadline: at('2027-01-13T13:00:00Z') };
    expect(bumpedDeadline({ ...bumped, now: at('2027-01-13T12:03:00Z') })).toBeNull();
    expect(bumpedDeadline({ ...bumped, now: at('2027-01-13T12:03:01Z') })).not.toBeNull();
  });

  test('goes over the next autostart by the time to live, and never beyond the longest deadline', () => {
    const late = { ...RUNNING, ttlMs: 8 * HOUR_MS, autostartSchedule: '45 12 * * *' };
    expect(bumpedDeadline(late)).toEqual({ deadline: at('2027-01-13T20:45:00Z'), deadlineRule: 'autostart' });
    const maxDeadline = at('2027-01-13T12:40:00Z');
    expect(bumpedDeadline({ ...late, maxDeadline })).toEqual({ deadline: maxDeadline, deadlineRule: 'autostop_requirement' });
    expect(bumpedDeadline({ ...RUNNING, maxDeadline: RUNNING.deadline })).toBeNull();
  });

  test('never moves a deadline back, nor past the longest, and is done with until time passes', () => {
    fc.assert(
      fc.property(factsAt(now), fc.integer({ min: 60_000, max: 12 * HOUR_MS }), (facts, activityBumpMs) => {
        const { build } = facts;
        if (build === null) return;
        const given = { ...deadlineFacts(facts), ...build, now, activityBumpMs };
        const bumped = bumpedDeadline(given);
        if (bumped?.deadline === undefined || bumped.deadline === null || build.deadline === null) return;
        expect(bumped.deadline.getTime()).toBeGreaterThan(build.deadline.getTime());
        if (build.maxDeadline !== null) expect(bumped.deadline.getTime()).toBeLessThanOrEqual(build.maxDeadline.getTime());
        expect(bumpedDeadline({ ...given, ...bumped })).toBeNull();
      }),
    );
  });
});

describe('an extension', () => {
  const build = {
    transition: 'start',
    hasSucceeded: true,
    deadline: at('2027-01-13T13:00:00Z'),
    maxDeadline: at('2027-01-13T18:00:00Z'),
  } as const;
  const ASKED = { now, requested: at('2027-01-13T14:00:00Z'), allowUserAutostop: true, build };

  test('may move the deadline of what runs, both ways, up to the longest', () => {
    expect(extendProblem(ASKED)).toBeNull();
    expect(extendProblem({ ...ASKED, requested: build.maxDeadline })).toBeNull();
    expect(extendProblem({ ...ASKED, requested: new Date(now.getTime() + EXTEND_MIN_MS) })).toBeNull();
  });

  test.each([
    ['nothing was built', { build: null }, 'conflict', 'not running'],
    ['it stopped', { build: { ...build, transition: 'stop' } }, 'conflict', 'not running'],
    ['its start is not over', { build: { ...build, hasSucceeded: false } }, 'conflict', 'not running'],
    ['it has no deadline', { build: { ...build, deadline: null } }, 'conflict', 'no deadline'],
    ['the template decides alone', { allowUserAutostop: false }, 'invalid', 'template'],
    ['it is too soon', { requested: at('2027-01-13T12:28:59Z') }, 'invalid', '29 minutes'],
    ['it is too late', { requested: at('2027-01-13T18:00:00.001Z') }, 'invalid', '2027-01-13T18:00:00'],
  ] as const)('is refused when %s', (_, change, kind, detail) => {
    expect(extendProblem({ ...ASKED, ...change })).toEqual({ kind, detail: expect.stringContaining(detail) });
  });
});

describe('a change of the template', () => {
  const completedAt = at('2027-01-13T06:00:00Z');
  const daily = { autostopRequirement: { daysOfWeek: EVERY_DAY, weeks: 1 } };
  const RUNNING = { ...NOTHING, now, completedAt, ttlMs: 8 * HOUR_MS };
  const free = { deadline: at('2027-01-13T14:00:00Z'), deadlineRule: 'ttl', maxDeadline: null } as const;

  test('to a requirement puts a longest deadline over what runs, at least two hours away', () => {
    expect(recomputedDeadlines({ ...RUNNING, ...daily, ...free })).toEqual({ ...free, maxDeadline: at('2027-01-14T00:00:00Z') });
    const late = { ...RUNNING, ...daily, ...free, now: at('2027-01-14T03:00:00Z'), deadline: at('2027-01-14T20:00:00Z') };
    const pulled = at('2027-01-14T05:00:00Z');
    expect(recomputedDeadlines(late)).toEqual({ deadline: pulled, deadlineRule: 'autostop_requirement', maxDeadline: pulled });
    const endless = { ...RUNNING, ...daily, ttlMs: null, deadline: null, deadlineRule: '', maxDeadline: null } as const;
    expect(recomputedDeadlines(endless)).toMatchObject({ deadline: at('2027-01-14T00:00:00Z'), deadlineRule: 'autostop_requirement' });
  });

  test('leaves alone what stops within two hours, and what it does not concern', () => {
    const soon = { ...free, maxDeadline: at('2027-01-13T13:59:00Z') };
    expect(recomputedDeadlines({ ...RUNNING, ...daily, ...soon })).toBeNull();
    expect(recomputedDeadlines({ ...RUNNING, ...free })).toBeNull();
  });

  test('that takes the requirement away gives back the deadline that it took', () => {
    const midnight = at('2027-01-14T00:00:00Z');
    const held = { deadline: midnight, deadlineRule: 'autostop_requirement', maxDeadline: midnight } as const;
    expect(recomputedDeadlines({ ...RUNNING, ...held, ttlMs: null })).toEqual({ deadline: null, deadlineRule: '', maxDeadline: null });
    expect(recomputedDeadlines({ ...RUNNING, ...held, ttlMs: 48 * HOUR_MS })).toMatchObject({
      deadline: at('2027-01-15T06:00:00Z'),
      deadlineRule: 'ttl',
    });
    // The time to live is over since: what was granted stays.
    expect(recomputedDeadlines({ ...RUNNING, ...held, ttlMs: HOUR_MS })).toMatchObject({ deadline: midnight, maxDeadline: null });
  });

  test('leaves no deadline past the longest, and none sooner than two hours but what was there', () => {
    fc.assert(
      fc.property(factsAt(now), fc.integer({ min: 0, max: 100 }), (facts, hours) => {
        const { build } = facts;
        if (build === null) return;
        const moved = recomputedDeadlines({
          ...deadlineFacts(facts),
          ...build,
          now,
          completedAt: new Date(now.getTime() - hours * HOUR_MS),
        });
        if (moved === null) return;
        const { deadline, maxDeadline } = moved;
        if (maxDeadline !== null) {
          expect(maxDeadline.getTime()).toBeGreaterThanOrEqual(now.getTime() + MAX_DEADLINE_LEEWAY_MS);
          expect(deadline?.getTime()).toBeLessThanOrEqual(maxDeadline.getTime());
        }
        const isSooner = deadline !== null && (build.deadline === null || deadline < build.deadline);
        if (isSooner) expect(deadline.getTime()).toBeGreaterThanOrEqual(now.getTime() + MAX_DEADLINE_LEEWAY_MS);
      }),
      { numRuns: 300 },
    );
  });
});
