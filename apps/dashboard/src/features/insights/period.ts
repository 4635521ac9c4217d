/** Days are those of the reader's clock, written as 2026-03-14. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The same with everything that a question to the server needs. */
export interface Period extends DayRange {
  readonly start_time: string;
  readonly end_time: string;
}

const DAYS_MAX = 366;
const DEFAULT_DAYS = 30;

/**
 * The period that an address asks for: the last thirty days unless it says otherwise, never longer than a year and never beyond today.
 * Weeks are whole, so that the first of them does not look like a drop: the period begins earlier where that needs it.
 */
export function periodOf(asked: { readonly from?: string; readonly to?: string; readonly interval?: 'week' }, now: Date): Period {
  const today = startOfDay(now);
  const last = earlier(dayOf(asked.to) ?? today, today);
  const first = later(earlier(dayOf(asked.from) ?? plusDays(last, 1 - DEFAULT_DAYS), last), plusDays(last, 1 - DAYS_MAX));
  const days = daysBetween(first, last) + 1;
  const missing = asked.interval === 'week' && days % 7 !== 0 ? 7 - (days % 7) : 0;
  const begin = days + missing > DAYS_MAX ? plusDays(first, days % 7) : plusDays(first, -missing);
  const end = last.getTime() === today.getTime() ? nextHour(now) : plusDays(last, 1);
  return { from: dayText(begin), to: dayText(last), start_time: withOffset(begin), end_time: withOffset(end) };
}

/** The last so many days, today among them. */
export function lastDays(days: number, now: Date): DayRange {
  const today = startOfDay(now);
  return { from: dayText(plusDays(today, 1 - days)), to: dayText(today) };
}

function dayOf(text: string | undefined): Date | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  return match === null ? undefined : new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
}

function startOfDay(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate());
}

/** By the calendar: a day on which the clocks change is a day all the same. */
function plusDays(day: Date, days: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
}

function daysBetween(first: Date, last: Date): number {
  return Math.round((last.getTime() - first.getTime()) / 86_400_000);
}

function nextHour(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours() + 1);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

const two = (part: number): string => String(part).padStart(2, '0');

function dayText(day: Date): string {
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function withOffset(at: Date): string {
  const ahead = -at.getTimezoneOffset();
  const sign = ahead < 0 ? '-' : '+';
  const offset = `${sign}${two(Math.floor(Math.abs(ahead) / 60))}:${two(Math.abs(ahead) % 60)}`;
  return `${dayText(at)}T${two(at.getHours())}:00:00${offset}`;
}
