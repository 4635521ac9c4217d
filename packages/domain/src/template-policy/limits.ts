import type { SharingLevel, Weekday } from '../enums.ts';
import { SHARING_LEVELS, WEEKDAYS } from '../enums.ts';

/** The shortest limit that a template sets on failed, unused and dormant workspaces, unless it sets none. */
export const TEMPLATE_TTL_MIN_MS = 60_000;
/** The longest length of time that a template sets, a hundred years: what is computed with it stays a date. */
export const TEMPLATE_TTL_MAX_MS = 100 * 365 * 24 * 60 * 60 * 1000;
export const AUTOSTOP_WEEKS_MAX = 16;

/** Days as a template stores them: bit 0 is Monday. */
export function dayMask(days: readonly Weekday[]): number {
  return days.reduce((mask, day) => mask | (1 << WEEKDAYS.indexOf(day)), 0);
}

/** Whether people whom `level` lets in are more than those whom `limit` lets in. */
export function exceedsLevel(level: SharingLevel, limit: SharingLevel): boolean {
  return SHARING_LEVELS.indexOf(level) > SHARING_LEVELS.indexOf(limit);
}
