import { filterValue, withFilter } from './audit-query.ts';

/** The span of time of a query. The query holds instants in UTC; people choose and read them in their own zone. */

export const SPAN_PRESETS = ['Last hour', 'Last 24 hours', 'Today', 'Yesterday', 'Last 7 days', 'Last 30 days'] as const;
type SpanPreset = (typeof SPAN_PRESETS)[number];

export interface Span {
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

const HOUR_MS = 3_600_000;

/** What a preset means now; days begin at the reader's midnight. */
export function presetSpan(preset: SpanPreset, now: Date): Span {
  const midnight = (daysAgo: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  switch (preset) {
    case 'Last hour':
      return { from: new Date(now.getTime() - HOUR_MS), to: null };
    case 'Last 24 hours':
      return { from: new Date(now.getTime() - 24 * HOUR_MS), to: null };
    case 'Today':
      return { from: midnight(0), to: null };
    case 'Yesterday':
      return { from: midnight(1), to: midnight(0) };
    case 'Last 7 days':
      return { from: midnight(6), to: null };
    case 'Last 30 days':
      return { from: midnight(29), to: null };
  }
}

/** The span that a query asks for. A day of the query is one in UTC; what is no time is none. */
export function spanOf(q: string): Span {
  const to = filterValue(q, 'date_to');
  const end = instantOf(to);
  // A day stands for all of it.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(to);
  return { from: instantOf(filterValue(q, 'date_from')), to: end !== null && isDay ? new Date(end.getTime() + 24 * HOUR_MS) : end };
}

/** The query with another span, to the second; null takes a bound away. */
export function withSpan(q: string, { from, to }: Span): string {
  return withFilter(withFilter(q, 'date_from', textOf(from)), 'date_to', textOf(to));
}

/** The value of a field of date and time, in the reader's zone; empty for none. */
export function localText(instant: Date | null): string {
  if (instant === null) return '';
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The instant of such a value; null for an empty or half-typed one. */
export function localInstant(text: string): Date | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? instantOf(text) : null;
}

/** "2026-11-21 09:30 UTC". */
export function utcText(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The span in the reader's zone, as short as it can be said; empty for all of time. */
export function spanWords({ from, to }: Span): string {
  if (from !== null && to !== null) {
    if (isMidnight(from) && isMidnight(to)) {
      const last = new Date(to.getTime() - 1);
      return day.format(from) === day.format(last) ? day.format(from) : `${day.format(from)} – ${day.format(last)}`;
    }
    return `${minute.format(from)} – ${minute.format(to)}`;
  }
  if (from !== null) return `since ${(isMidnight(from) ? day : minute).format(from)}`;
  return to === null ? '' : `until ${minute.format(to)}`;
}

function isMidnight(instant: Date): boolean {
  return instant.getHours() === 0 && instant.getMinutes() === 0 && instant.getSeconds() === 0;
}

function textOf(instant: Date | null): string {
  return instant === null ? '' : instant.toISOString().replace(/\.\d+Z$/, 'Z');
}

function instantOf(text: string): Date | null {
  const instant = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : new Date(instant);
}
