/** What a clock on the wall of some zone shows. Months count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** There are about 600 zones, but names come in any case. */
const FORMATS_MAX = 1000;

const formats = new Map<string, Intl.DateTimeFormat>();

const DAY_OFFSETS_MAX = 10_000;
/** By zone and day of UTC: the offset that holds from midnight to midnight, or that it changes in between. */
const dayOffsets = new Map<string, number | 'changes'>();

/** Whether `zone` is the name of an IANA time zone. `Local` is none: the same schedule would mean another time on another server. */
export function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone) || zone.toLowerCase() === 'local') return false;
  try {
    return formatOf(zone) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** What the wall clock of `zone` shows at `instant`, whole minutes. */
export function wallTimeOf(instant: Date, zone: string): WallTime {
  const shown = new Date(instant.getTime() + offsetMs(instant.getTime(), zone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  };
}

/**
 * When the wall clock of `zone` shows `wall`. A time that it shows twice (the clock goes back) is the first of the two; one that it
 * never shows (the clock goes forward) is the moment of the change. So every wall time happens exactly once, and later ones never
 * before earlier ones.
 */
export function instantOf(wall: WallTime, zone: string): Date {
  const shown = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = offsetMs(shown - DAY_MS, zone);
  const after = offsetMs(shown + DAY_MS, zone);
  const fitting = [before, after]
    .map((offset) => ({ at: shown - offset, offset }))
    .filter(({ at, offset }) => offsetMs(at, zone) === offset);
  if (fitting.length > 0) return new Date(Math.min(...fitting.map(({ at }) => at)));
  return new Date(changeBetween(shown - after, shown - before, zone));
}

/** The first second in (from, to] with the offset of `to`; the zone changes its clock once in between. */
function changeBetween(from: number, to: number, zone: string): number {
  const offset = offsetMs(to, zone);
  let [low, high] = [Math.floor(from / SECOND_MS), Math.floor(to / SECOND_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * SECOND_MS, zone) === offset) high = middle;
    else low = middle;
  }
  return high * SECOND_MS;
}

/** How far the wall clock of a zone is ahead of UTC. On nearly every day of a zone it is the same all day long, which is remembered. */
function offsetMs(millis: number, zone: string): number {
  const day = Math.floor(millis / DAY_MS);
  const key = `${zone} ${day}`;
  let ofDay = dayOffsets.get(key);
  if (ofDay === undefined) {
    const first = computeOffsetMs(day * DAY_MS, zone);
    ofDay = computeOffsetMs((day + 1) * DAY_MS, zone) === first ? first : 'changes';
    if (dayOffsets.size >= DAY_OFFSETS_MAX) dayOffsets.clear();
    dayOffsets.set(key, ofDay);
  }
  return ofDay === 'changes' ? computeOffsetMs(millis, zone) : ofDay;
}

function computeOffsetMs(millis: number, zone: string): number {
  const whole = Math.floor(millis / SECOND_MS) * SECOND_MS;
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(whole)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(zone, format);
  return format;
}
