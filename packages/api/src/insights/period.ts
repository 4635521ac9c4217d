import type { Validation } from '@berth/core';
import { invalid } from '@berth/core';
import type { InsightsInterval } from '@berth/domain';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A year, and a day that leaps. */
const PERIOD_DAYS_MAX = 366;
/** Of a week that has not ended. */
const WEEK_DAYS_MIN = 6;
const INTERVAL_DAYS: Readonly<Record<InsightsInterval, number>> = { day: 1, week: 7 };
/** How programs write a time that they were not given. */
const ZERO_MS = Date.parse('0001-01-01T00:00:00Z');

/** From `start` until before `end`. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
  /** What the days of the beginning are ahead of UTC. */
  readonly offsetMs: number;
}

/**
 * The period between two texts with offsets: whole days as people there count them, the last one up to a full hour when it is today.
 *
 * @throws invalid, naming each field that breaks a rule.
 */
export function readPeriod(input: { readonly start_time: string; readonly end_time: string }, now: Date): Period {
  const start = readInstant(input.start_time);
  const end = readInstant(input.end_time);
  const startProblem = problemOf(start, now) ?? (isMidnight(start) ? null : 'must be a midnight, 00:00:00, at its offset');
  const endProblem =
    problemOf(end, now) ??
    (isMidnight(end) || (isFullHour(end) && isSameDay(end, now)) ? null : 'must be a midnight at its offset, or a full hour of today');
  const problems: Validation[] = [];
  if (startProblem !== null) problems.push({ field: 'start_time', detail: startProblem });
  if (endProblem !== null) problems.push({ field: 'end_time', detail: endProblem });
  if (end.ms < start.ms) problems.push({ field: 'end_time', detail: 'must not lie before start_time' });
  if (Math.round((end.ms - start.ms) / DAY_MS) > PERIOD_DAYS_MAX) {
    problems.push({ field: 'end_time', detail: `must lie at most ${PERIOD_DAYS_MAX} days after start_time` });
  }
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  return { start: new Date(start.ms), end: new Date(end.ms), offsetMs: start.offsetMs };
}

/**
 * The period cut into days or weeks; the last one ends with the period.
 *
 * @throws invalid when a last week has less than six days: it would look like a drop.
 */
export function intervalsOf({ start, end }: Period, interval: InsightsInterval): { readonly start: Date; readonly end: Date }[] {
  const step = INTERVAL_DAYS[interval] * DAY_MS;
  const intervals = [];
  for (let from = start.getTime(); from < end.getTime(); from += step) {
    intervals.push({ start: new Date(from), end: new Date(Math.min(from + step, end.getTime())) });
  }
  const last = intervals.at(-1);
  if (interval === 'week' && last !== undefined && last.end.getTime() - last.start.getTime() < WEEK_DAYS_MIN * DAY_MS) {
    throw invalid('Validation failed.', [{ field: 'interval', detail: `the last week must have ${WEEK_DAYS_MIN} days at least` }]);
  }
  return intervals;
}

/** An instant as clocks at the offset show it. */
export function atOffset(instant: Date, offsetMs: number): string {
  if (offsetMs === 0) return instant.toISOString();
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const offset = `${offsetMs < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return new Date(instant.getTime() + offsetMs).toISOString().replace('Z', offset);
}

interface Instant {
  readonly ms: number;
  readonly offsetMs: number;
}

/** The schema of the input has read the text already. */
function readInstant(text: string): Instant {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return { ms: Date.parse(text), offsetMs: sign === '-' ? -offset : offset };
}

function problemOf({ ms }: Instant, now: Date): string | null {
  if (ms === ZERO_MS) return 'must be given';
  return ms > Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS ? 'must not lie in the future' : null;
}

function dayOf(ms: number, offsetMs: number): number {
  return Math.floor((ms + offsetMs) / DAY_MS);
}

function isMidnight({ ms, offsetMs }: Instant): boolean {
  return (ms + offsetMs) % DAY_MS === 0;
}

function isFullHour({ ms, offsetMs }: Instant): boolean {
  return (ms + offsetMs) % HOUR_MS === 0;
}

function isSameDay({ ms, offsetMs }: Instant, now: Date): boolean {
  return dayOf(ms, offsetMs) === dayOf(now.getTime(), offsetMs);
}
