/** Spans of time that people set, as a number of a unit. */

export const UNITS = [
  { value: 'minutes', label: 'minutes', ms: 60_000 },
  { value: 'hours', label: 'hours', ms: 3_600_000 },
  { value: 'days', label: 'days', ms: 86_400_000 },
] as const;
export type Unit = (typeof UNITS)[number]['value'];

/** The largest unit that tells the span in whole numbers. */
export function unitOf(ms: number): Unit {
  const unit = [...UNITS].toReversed().find(({ ms: size }) => ms !== 0 && ms % size === 0);
  return unit?.value ?? (ms === 0 ? 'hours' : 'minutes');
}

export function sizeOf(unit: Unit): number {
  return UNITS.find(({ value }) => value === unit)?.ms ?? 1;
}

/** "8 hours", "1 day"; "never" for 0. */
export function spanText(ms: number, never = 'never'): string {
  if (ms === 0) return never;
  const unit = unitOf(ms);
  const count = ms / sizeOf(unit);
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${count.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
