const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `3 minutes ago`, `in 2 hours`; `never` for no time at all. */
export function relativeTime(iso: string | null | undefined, nowMs = Date.now()): string {
  if (iso === null || iso === undefined) return 'never';
  const ms = Date.parse(iso) - nowMs;
  if (Math.abs(ms) < 1000) return 'now';
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  return words.format(Math.trunc(ms / size), unit);
}

/** `1h 30m`, `8h`, `2d 4h`: its two largest units. */
export function durationText(ms: number): string {
  const parts: string[] = [];
  let left = ms;
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const) {
    const whole = Math.floor(left / size);
    left -= whole * size;
    if (whole > 0) parts.push(`${whole}${unit}`);
  }
  return parts.length === 0 ? '0s' : parts.slice(0, 2).join(' ');
}

/** The time where the person is, to the minute. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
