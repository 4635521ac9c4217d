import type { Cron } from './cron.ts';
import { parseCron } from './cron.ts';
import { nextOccurrence } from './occurrences.ts';

/** A schedule of quiet hours: they begin every day at this wall time of this zone. */
export interface QuietHours {
  readonly cron: Cron;
  readonly hour: number;
  readonly minute: number;
}

export type QuietHoursParse = { readonly ok: true; readonly quietHours: QuietHours } | { readonly ok: false; readonly problem: string };

/** Midnight in UTC: what holds where neither the user nor the deployment says otherwise. */
export const QUIET_HOURS_DEFAULT = 'CRON_TZ=UTC 0 0 * * *';

/** Reads `minute hour * * *` with an optional zone before it: one time, every day; or says in a sentence what is wrong. */
export function parseQuietHours(schedule: string): QuietHoursParse {
  const parsed = parseCron(schedule);
  if (!parsed.ok) return parsed;
  const [minute, hour, , , weekday] = schedule
    .trim()
    .replace(/^\S+=\S*\s+/, '')
    .split(/\s+/);
  const isOneTime = /^\d{1,2}$/.test(minute ?? '') && /^\d{1,2}$/.test(hour ?? '');
  if (!isOneTime) return { ok: false, problem: 'Must name one minute and one hour, such as 30 22 * * *.' };
  if (weekday !== '*') return { ok: false, problem: 'Must hold every day: the weekday must be *.' };
  return { ok: true, quietHours: { cron: parsed.cron, hour: Number(hour), minute: Number(minute) } };
}

/** Why a schedule of quiet hours is refused, or null. */
export function quietHoursProblem(schedule: string): string | null {
  const parsed = parseQuietHours(schedule);
  return parsed.ok ? null : parsed.problem;
}

/** The quiet hours that count for a user: their own if they may have any and these are sound, else the deployment's, else the product's. */
export function effectiveQuietHours({ own, deployment }: { readonly own: string; readonly deployment: string }): QuietHours {
  for (const schedule of [own, deployment, QUIET_HOURS_DEFAULT]) {
    const parsed = parseQuietHours(schedule);
    if (parsed.ok) return parsed.quietHours;
  }
  throw new Error('the default of the quiet hours is not sound');
}

/** When quiet hours begin next, strictly after a moment. */
export function nextQuietTime({ cron }: QuietHours, after: Date): Date {
  const next = nextOccurrence(cron, after);
  if (next === null) throw new Error('quiet hours come every day');
  return next;
}
