import { isTimeZone } from './zoned-time.ts';

/** A schedule of wall times in a zone: every minute of every hour on every weekday listed. Lists ascend and are never empty. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** As given; UTC if none was. */
  readonly timezone: string;
}

export type CronParse = { readonly ok: true; readonly cron: Cron } | { readonly ok: false; readonly problem: string };

const FIELDS = ['minute', 'hour', 'day of month', 'month', 'weekday'] as const;
const WEEKDAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DEFAULT_ZONE = 'UTC';

/** For the column of a schedule and for requests: no sensible schedule is longer. */
export const CRON_LENGTH_MAX = 255;

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

/**
 * Reads `minute hour * * weekday`, with an optional `CRON_TZ=<IANA zone>` (or `TZ=`) before it, or says in a sentence what is wrong.
 * Lists, ranges, steps and names of weekdays are fine, descriptors such as `@daily` are not.
 */
export function parseCron(schedule: string): CronParse {
  if (schedule.length > CRON_LENGTH_MAX) return problem(`Must have at most ${CRON_LENGTH_MAX} characters.`);
  const words = schedule.trim().split(/\s+/);
  const zone = /^(?:CRON_)?TZ=(.*)$/.exec(words[0] ?? '')?.[1];
  if (zone !== undefined) {
    words.shift();
    if (!isTimeZone(zone)) return problem(`"${zone}" is not a time zone such as Europe/Lisbon.`);
  }
  const [minute, hour, dayOfMonth, month, weekday, ...rest] = words;
  if (minute === undefined || hour === undefined || weekday === undefined || rest.length > 0) {
    return problem(`Must have five fields: ${FIELDS.join(', ')}.`);
  }
  if (dayOfMonth !== '*' || month !== '*') return problem('The day of month and the month must be *.');
  const minutes = parseField(minute, { min: 0, max: 59, names: [] });
  if (minutes === null) return problem(`"${minute}" is not a minute from 0 to 59.`);
  const hours = parseField(hour, { min: 0, max: 23, names: [] });
  if (hours === null) return problem(`"${hour}" is not an hour from 0 to 23.`);
  const weekdays = parseField(weekday, { min: 0, max: 7, names: WEEKDAY_NAMES });
  if (weekdays === null) return problem(`"${weekday}" is not a weekday from 0 to 7.`);
  // Sunday is 0 and 7.
  return { ok: true, cron: { minutes, hours, weekdays: ascending(weekdays.map((day) => day % 7)), timezone: zone ?? DEFAULT_ZONE } };
}

/** Why an autostart schedule is refused, or null. */
export function autostartProblem(schedule: string): string | null {
  const parsed = parseCron(schedule);
  return parsed.ok ? null : parsed.problem;
}

function problem(text: string): CronParse {
  return { ok: false, problem: text };
}

/** The values that a field names, ascending; null when it is none. */
function parseField(field: string, bounds: Bounds): readonly number[] | null {
  const values: number[] = [];
  for (const part of field.split(',')) {
    const named = parsePart(part, bounds);
    if (named === null) return null;
    values.push(...named);
  }
  return ascending(values);
}

function parsePart(part: string, bounds: Bounds): readonly number[] | null {
  const [range = '', step, ...rest] = part.split('/');
  if (rest.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return null;
  const ends = rangeOf(range, bounds, step !== undefined);
  if (ends === null) return null;
  const width = step === undefined ? 1 : Number(step);
  const values: number[] = [];
  for (let value = ends.from; value <= ends.to; value += width) values.push(value);
  return values;
}

function rangeOf(range: string, bounds: Bounds, hasStep: boolean): { readonly from: number; readonly to: number } | null {
  // Weekdays by name have seven values: the second Sunday is not counted, or steps would meet it twice.
  const last = bounds.names.length > 0 ? bounds.names.length - 1 : bounds.max;
  if (range === '*') return { from: bounds.min, to: last };
  const ends = range.split('-').map((end) => valueOf(end, bounds));
  const [from = null, to = hasStep ? Math.max(last, from ?? 0) : from] = ends;
  return ends.length <= 2 && from !== null && to !== null && from <= to ? { from, to } : null;
}

function valueOf(text: string, { min, max, names }: Bounds): number | null {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}
