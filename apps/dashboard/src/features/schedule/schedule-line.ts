import type { Weekday } from '@berth/domain';
import { ALL_DAYS, WEEKDAYS, nextOccurrence, parseCron } from '@berth/domain';
import type { ScheduledEvent } from './schedule-words.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far the line reaches into the future, and a little into the past. */
const AHEAD_MS = 7 * DAY_MS;
const BEHIND_MS = 5 * HOUR_MS;
/** Starts that a line foresees at most: a schedule may name every minute. */
const FORESEEN_MAX = 60;

export interface LineFacts {
  /** Milliseconds. */
  readonly now: number;
  readonly events: readonly ScheduledEvent[];
  /** It is up, or about to be. */
  readonly isRunning: boolean;
  /** Its own schedule; null for none. */
  readonly autostart: string | null;
  /** The days on which its template lets it start by itself. */
  readonly allowedDays: readonly Weekday[] | undefined;
  /** How long a start lasts; null for without end. */
  readonly ttlMs: number | null;
  /** When quiet hours of its owner begin, as a schedule; null while unknown. */
  readonly quietHours: string | null;
}

/** Something that happens at a moment of the line. */
export interface LineEvent extends Pick<ScheduledEvent, 'kind' | 'rule' | 'value'> {
  readonly at: number;
  /** It follows from what comes before it: the server has not set it yet. */
  readonly isForeseen: boolean;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface ScheduleLine extends Stretch {
  readonly now: number;
  readonly events: readonly LineEvent[];
  /** When it is up. */
  readonly running: readonly Stretch[];
  /** Moments at which quiet hours begin. */
  readonly quiet: readonly number[];
  /** Midnights, by the reader's clock. */
  readonly days: readonly number[];
  /** Events that lie beyond its end. */
  readonly later: number;
}

/** A week of what will happen to a workspace: what the server has set, and what its schedule and its time to run make of the days after. */
export function lineOf(facts: LineFacts): ScheduleLine {
  const { now } = facts;
  const [from, to] = [now - BEHIND_MS, now + AHEAD_MS];
  const set = facts.events.map(({ kind, rule, value, time }): LineEvent => ({
    kind,
    rule,
    value,
    at: Date.parse(time),
    isForeseen: false,
  }));
  const events = [...set, ...foreseen(facts, set, to)].toSorted((a, b) => a.at - b.at);
  const shown = events.filter(({ at }) => at <= to);
  return {
    now,
    from,
    to,
    events: shown,
    running: stretches(shown, facts.isRunning, { from, to }),
    quiet: facts.quietHours === null ? [] : occurrences(facts.quietHours, ALL_DAYS, { from: from - DAY_MS / 2, to }),
    days: midnights({ from, to }),
    later: set.filter(({ at }) => at > to).length,
  };
}

/** The starts and stops after the last one that the server has set, until something else ends that. */
function foreseen({ autostart, allowedDays, ttlMs, events }: LineFacts, set: readonly LineEvent[], to: number): readonly LineEvent[] {
  const start = set.find(({ kind }) => kind === 'autostart');
  if (start === undefined || autostart === null || ttlMs === null) return [];
  const end = Math.min(to, ...set.filter(({ kind }) => kind === 'dormant' || kind === 'delete').map(({ at }) => at));
  const times = occurrences(autostart, maskOf(allowedDays), { from: start.at, to: end + ttlMs });
  const made: LineEvent[] = [];
  let startedAt = start.at;
  while (made.length < FORESEEN_MAX) {
    // Whoever would be stopped after the next start is not stopped in the morning: the server counts from that start.
    const following = times.find((time) => time > startedAt);
    const isPastIt = following !== undefined && startedAt + ttlMs > following;
    const stopsAt = isPastIt ? following + ttlMs : startedAt + ttlMs;
    if (stopsAt > end) break;
    made.push({
      kind: 'autostop',
      rule: isPastIt ? 'autostart' : 'ttl',
      value: isPastIt ? autostart : ttlMs,
      at: stopsAt,
      isForeseen: true,
    });
    const next = times.find((time) => time > stopsAt);
    if (next === undefined || next > end) break;
    made.push({
      kind: 'autostart',
      rule: 'autostart',
      value: events.find(({ kind }) => kind === 'autostart')?.value ?? autostart,
      at: next,
      isForeseen: true,
    });
    startedAt = next;
  }
  return made;
}

/** When it is up, as its starts and stops have it. */
function stretches(events: readonly LineEvent[], isRunning: boolean, { from, to }: Stretch): readonly Stretch[] {
  const found: Stretch[] = [];
  let since = isRunning ? from : null;
  for (const { kind, at } of events) {
    if (kind === 'autostart') {
      since ??= at;
    } else if (since !== null) {
      if (at > since) found.push({ from: since, to: at });
      since = null;
    }
  }
  return since === null ? found : [...found, { from: since, to }];
}

function maskOf(days: readonly Weekday[] | undefined): number {
  if (days === undefined) return ALL_DAYS;
  return WEEKDAYS.reduce((mask, day, index) => (days.includes(day) ? mask | (1 << index) : mask), 0);
}

/** The times of a schedule after `from`, up to `to`; none of one that makes no sense. */
function occurrences(schedule: string, days: number, { from, to }: Stretch): readonly number[] {
  const parsed = parseCron(schedule);
  if (!parsed.ok) return [];
  const times: number[] = [];
  for (let last = new Date(from); times.length < FORESEEN_MAX;) {
    const next = nextOccurrence(parsed.cron, last, days);
    if (next === null || next.getTime() > to) break;
    times.push(next.getTime());
    last = next;
  }
  return times;
}

/** Days may be an hour longer or shorter than others. */
function midnights({ from, to }: Stretch): readonly number[] {
  const day = new Date(from);
  const found: number[] = [];
  for (day.setHours(24, 0, 0, 0); day.getTime() <= to; day.setDate(day.getDate() + 1)) found.push(day.getTime());
  return found;
}

interface Labels {
  /** All in pixels. The lines between days, in order. */
  readonly days: readonly number[];
  /** The line of now, and how far its label extends to the left of it. */
  readonly now: number;
  readonly nowWidth: number;
  /** The width of a day's label, which extends to the right of its line. */
  readonly dayWidth: number;
  /** The right edge. */
  readonly end: number;
}

/** Which days have room for their label: it neither meets that of now or of the next day, nor is cut off at the end. */
export function labeledDays({ days, now, nowWidth, dayWidth, end }: Labels): readonly boolean[] {
  return days.map((at, index) => {
    const meetsNow = at < now && at + dayWidth > now - nowWidth;
    return !meetsNow && at + dayWidth <= (days[index + 1] ?? end);
  });
}

/** Which lane each place gets, from 0, so that two in one lane are at least `gap` apart. Places rise. */
export function lanesOf(places: readonly number[], gap: number): readonly number[] {
  const ends: number[] = [];
  return places.map((place) => {
    const free = ends.findIndex((end) => place - end >= gap);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = place;
    return lane;
  });
}
