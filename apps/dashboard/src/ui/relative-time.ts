const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

// Never "tomorrow": what is 40 hours away may be the day after it.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayOfThisYear = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** "3 minutes ago", "in 2 hours", to the nearest of its unit; "just now" within half a minute. */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 30) return 'just now';
  for (const [index, [unit, size]] of UNITS.entries()) {
    // What the next smaller unit would round up to a whole one of this is one of this: no "60 minutes".
    const smaller = UNITS[index + 1]?.[1] ?? 1;
    if (Math.round(Math.abs(seconds) / smaller) * smaller >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return seconds < 0 ? 'less than a minute ago' : 'in less than a minute';
}

/** The instant in the reader's own zone, which is named. */
export function exactTime(iso: string): string {
  return exact.format(new Date(iso));
}

/** The same in two parts and without the zone, for narrow places. This year is left out. */
export function shortTime(iso: string, now: number): { readonly day: string; readonly time: string } {
  const at = new Date(iso);
  const format = at.getFullYear() === new Date(now).getFullYear() ? dayOfThisYear : day;
  return { day: format.format(at), time: clock.format(at) };
}

/** "1 h 4 min", "12 s", "3.1 s", "216 ms"; for spans between two instants. */
export function duration(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1000) return `${whole} ms`;
  const seconds = whole / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(Math.min(seconds, 59))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
