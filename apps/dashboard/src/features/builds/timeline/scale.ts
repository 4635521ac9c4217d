/** A stretch of time as a line: instants in milliseconds become places from 0 (its beginning) to 1 (its end). */
export interface Scale {
  readonly from: number;
  readonly to: number;
}

export interface Tick {
  /** From 0 to 1. */
  readonly place: number;
  /** Since the beginning of the line, as people say it. */
  readonly text: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps that people count in. */
const STEPS_MS = [
  ...[0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];

/** Where an instant is; what lies outside the line is at its nearer end. */
export function placeOf({ from, to }: Scale, at: number): number {
  return to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Marks at round spans since the beginning, the first at 0; `countMax` of them at most, but always the first. */
export function ticksOf({ from, to }: Scale, countMax: number): readonly Tick[] {
  const length = Math.max(0, to - from);
  const most = Math.max(1, countMax - 1);
  const days = 24 * HOUR;
  const step = STEPS_MS.find((candidate) => length / candidate < most) ?? Math.ceil(length / most / days) * days;
  const ticks: Tick[] = [];
  for (let at = 0; at <= length && ticks.length < countMax; at += step) {
    ticks.push({ place: length === 0 ? 0 : at / length, text: spanSince(at) });
  }
  return ticks;
}

/** "0", "0.2 s", "90 s" only below two minutes, "5 min", "1 h 30 min". */
function spanSince(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 2 * MINUTE && ms % MINUTE !== 0) return `${Number((ms / SECOND).toFixed(2))} s`;
  if (ms < HOUR) return ms % MINUTE === 0 ? `${ms / MINUTE} min` : `${Math.floor(ms / MINUTE)} min ${(ms % MINUTE) / SECOND} s`;
  const minutes = Math.round((ms % HOUR) / MINUTE);
  return minutes === 0 ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / HOUR)} h ${minutes} min`;
}
