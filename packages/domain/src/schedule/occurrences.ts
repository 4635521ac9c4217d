import type { Cron } from './cron.ts';
import { parseCron } from './cron.ts';
import type { WallTime } from './zoned-time.ts';
import { instantOf, wallTimeOf } from './zoned-time.ts';

/** Every weekday: bit 0 is Monday. */
export const ALL_DAYS = 0b111_1111;

/** A day without a zone. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The day `count` days later. */
export function addDays({ year, month, day }: Day, count: number): Day {
  const moved = new Date(Date.UTC(year, month - 1, day + count));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** 0 is Sunday. */
export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** Whether a mask of days as templates store it (bit 0 is Monday) has a weekday (0 is Sunday). */
export function hasDay(mask: number, weekday: number): boolean {
  return (mask & (1 << ((weekday + 6) % 7))) !== 0;
}

/**
 * The first time of the schedule after `after`, on the days of the mask; null when the two have no day in common. Each wall time of the
 * schedule happens exactly once, also when clocks change: see `instantOf`.
 */
export function nextOccurrence(cron: Cron, after: Date, allowedDays: number = ALL_DAYS): Date | null {
  const start = wallTimeOf(after, cron.timezone);
  // The eighth day: today a week on, when today's times are over; the ninth: after a day that a zone skipped.
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = addDays(start, ahead);
    const weekday = weekdayOf(day);
    if (!cron.weekdays.includes(weekday) || !hasDay(allowedDays, weekday)) continue;
    const found = firstOfDay(cron, { day, after, from: ahead === 0 ? start : null });
    if (found !== null) return found;
  }
  return null;
}

interface DaySearch {
  readonly day: Day;
  readonly after: Date;
  /** Earlier times of the day cannot be after `after`, since wall times happen in order. */
  readonly from: WallTime | null;
}

function firstOfDay({ hours, minutes, timezone }: Cron, { day, after, from }: DaySearch): Date | null {
  for (const hour of hours) {
    for (const minute of minutes) {
      if (from !== null && (hour < from.hour || (hour === from.hour && minute < from.minute))) continue;
      const at = instantOf({ ...day, hour, minute }, timezone);
      if (at > after) return at;
    }
  }
  return null;
}

export interface AutostartFacts {
  /** As stored; null or empty is none. */
  readonly schedule: string | null;
  readonly after: Date;
  /** Mask of the days that the template allows; bit 0 is Monday. A day is one of the schedule's zone. */
  readonly allowedDays: number;
}

/** The next autostart after a moment: the first time of the schedule on a day that the template allows. Null: none, or no sound schedule. */
export function nextAutostart({ schedule, after, allowedDays }: AutostartFacts): Date | null {
  if (schedule === null || schedule === '') return null;
  const parsed = parseCron(schedule);
  return parsed.ok ? nextOccurrence(parsed.cron, after, allowedDays) : null;
}
