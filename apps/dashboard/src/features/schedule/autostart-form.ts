import type { Cron, Weekday } from '@berth/domain';
import { WEEKDAYS, nextOccurrence, parseCron } from '@berth/domain';

/** An autostart as people set it: one time of day, on some days, by the clock of some place. */
export interface AutostartValues {
  /** `HH:MM`. */
  readonly time: string;
  readonly days: readonly Weekday[];
  readonly zone: string;
}

const PREVIEW = 3;

/** The values that a form begins with, for somebody in `zone` whose workspace has no schedule yet. */
export function defaultAutostart(zone: string): AutostartValues {
  return { time: '08:30', days: WEEKDAYS.slice(0, 5), zone };
}

/** The schedule in the form's terms; null for one that says more than the form can, such as two times a day. */
export function autostartOf(schedule: string): AutostartValues | null {
  const parsed = parseCron(schedule);
  if (!parsed.ok) return null;
  const { minutes, hours, weekdays, timezone } = parsed.cron;
  const [minute, ...moreMinutes] = minutes;
  const [hour, ...moreHours] = hours;
  if (minute === undefined || hour === undefined || moreMinutes.length + moreHours.length > 0) return null;
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return { time, days: WEEKDAYS.filter((_, index) => weekdays.includes(cronDay(index))), zone: timezone };
}

/** The schedule as the server takes it; null while something is missing. */
export function scheduleOf({ time, days, zone }: AutostartValues): string | null {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined || days.length === 0) return null;
  const weekdays = WEEKDAYS.flatMap((day, index) => (days.includes(day) ? [cronDay(index)] : [])).toSorted((a, b) => a - b);
  return `CRON_TZ=${zone} ${Number(minute)} ${Number(hour)} * * ${weekdays.length === WEEKDAYS.length ? '*' : weekdays.join(',')}`;
}

/** The next times of a schedule after `after`; none for a schedule that makes no sense. */
export function nextTimes(schedule: string, after: Date): readonly Date[] {
  const parsed = parseCron(schedule);
  if (!parsed.ok) return [];
  const times: Date[] = [];
  for (let last = after; times.length < PREVIEW;) {
    const next = nextOccurrence(parsed.cron satisfies Cron, last);
    if (next === null) break;
    times.push(next);
    last = next;
  }
  return times;
}

/** Our weeks begin on Monday, those of cron on Sunday. */
function cronDay(index: number): number {
  return (index + 1) % 7;
}
