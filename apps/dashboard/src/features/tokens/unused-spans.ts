/** For how long nothing used a token, as one may ask for. */
export const UNUSED_SPANS = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 180, label: '180 days' },
  { days: 365, label: 'a year' },
] as const;

/** The span that a URL names; undefined for any other number. */
export function unusedSpan(value: unknown): number | undefined {
  return UNUSED_SPANS.find(({ days }) => String(days) === String(value))?.days;
}

type Timed = { readonly expires_at: string };

export function isExpired({ expires_at: end }: Timed, now: number): boolean {
  return Date.parse(end) <= now;
}
