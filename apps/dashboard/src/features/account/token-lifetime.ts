const DAY_NANOSECONDS = 86_400 * 1_000_000_000;

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '3650', label: 'Ten years' },
] as const;

/** The wire counts lifetimes in nanoseconds. */
export function lifetimeNanoseconds(days: string): number {
  return Number(days) * DAY_NANOSECONDS;
}

/** The lifetimes that this server allows; all of them as long as its limit, in nanoseconds, is not known. */
export function allowedLifetimes(max: number | undefined): { value: string; label: string }[] {
  return LIFETIMES.filter(({ value }) => max === undefined || lifetimeNanoseconds(value) <= max);
}
