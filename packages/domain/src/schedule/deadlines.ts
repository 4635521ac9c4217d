import type { DeadlineRule, Transition } from '../enums.ts';
import type { AutostopRequirement, ScheduleFacts } from './facts.ts';
import type { AutostartFacts, Day } from './occurrences.ts';
import { addDays, hasDay, nextAutostart, weekdayOf } from './occurrences.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { TtlFacts } from './ttl.ts';
import { effectiveTtlMs } from './ttl.ts';
import { instantOf, wallTimeOf } from './zoned-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Nobody is stopped by the autostop requirement sooner than this after a start, or after a change of the template. */
export const MAX_DEADLINE_LEEWAY_MS = 2 * HOUR_MS;
/** Quiet hours that begin in the last quarter of an hour before midnight belong to the day after: the minute of the day after which. */
const MIDNIGHT_BUFFER_FROM = 24 * 60 - 15;
/** The Monday from which weeks are counted. */
const EPOCH_MONDAY_MS = Date.UTC(2023, 0, 2);

export interface DeadlineFacts extends TtlFacts {
  readonly autostopRequirement: AutostopRequirement;
  readonly quietHours: QuietHours;
  /** The workspace's own; null where it has none or the template allows none. */
  readonly autostartSchedule: string | null;
  readonly allowedAutostartDays: number;
}

/** What of a workspace decides its deadlines. */
export function deadlineFacts({ workspace, template, quietHours }: ScheduleFacts): DeadlineFacts {
  return {
    ttlMs: workspace.ttlMs,
    templateDefaultTtlMs: template.defaultTtlMs,
    allowUserAutostop: template.allowUserAutostop,
    autostopRequirement: template.autostopRequirement,
    quietHours,
    autostartSchedule: template.allowUserAutostart ? workspace.autostartSchedule : null,
    allowedAutostartDays: template.autostartDaysOfWeek,
  };
}

/** When a running workspace is stopped and why. */
export interface Deadlines {
  readonly deadline: Date | null;
  readonly deadlineRule: DeadlineRule;
  /** What no extension and no activity goes beyond. Never before `deadline`. */
  readonly maxDeadline: Date | null;
}

/** The deadlines of a start that completes at `now`. */
export function buildDeadlines(facts: DeadlineFacts & { readonly now: Date }): Deadlines {
  const maxDeadline = requiredStop(facts);
  return capped({ ...ttlDeadline(facts), maxDeadline });
}

/**
 * When the autostop requirement stops a workspace that started at `now`: the first quiet hours that begin on a required day, in the
 * zone of the quiet hours, at least two hours away. Null where nothing is required.
 */
export function requiredStop({
  now,
  autostopRequirement: { daysOfWeek, weeks },
  quietHours,
}: Pick<DeadlineFacts, 'autostopRequirement' | 'quietHours'> & { readonly now: Date }): Date | null {
  if ((daysOfWeek & 0b111_1111) === 0) return null;
  const earliest = new Date(now.getTime() + MAX_DEADLINE_LEEWAY_MS);
  const { timezone } = quietHours.cron;
  const first = wallTimeOf(earliest, timezone);
  const everyWeeks = Math.max(1, weeks);
  // A required week comes at the latest after `weeks`, and one more when what is left of this one is too near.
  for (let ahead = 0; ahead <= 7 * (everyWeeks + 1); ahead += 1) {
    const day = addDays(first, ahead);
    if (!hasDay(daysOfWeek, weekdayOf(day)) || weekOf(day) % everyWeeks !== 0) continue;
    const stop = quietTimeOf(quietHours, day);
    if (stop >= earliest) return stop;
  }
  return null;
}

/** When the quiet hours that belong to a day begin: late in the evening before, or on the day itself. */
function quietTimeOf({ cron, hour, minute }: QuietHours, day: Day): Date {
  const isEveningBefore = hour * 60 + minute > MIDNIGHT_BUFFER_FROM;
  return instantOf({ ...addDays(day, isEveningBefore ? -1 : 0), hour, minute }, cron.timezone);
}

function weekOf({ year, month, day }: Day): number {
  return Math.floor((Date.UTC(year, month - 1, day) - EPOCH_MONDAY_MS) / (7 * DAY_MS));
}

function ttlDeadline(facts: DeadlineFacts & { readonly now: Date }): Pick<Deadlines, 'deadline' | 'deadlineRule'> {
  const ttlMs = effectiveTtlMs(facts);
  if (ttlMs === null) return { deadline: null, deadlineRule: '' };
  const deadline = later(facts.now, ttlMs);
  const autostart = nextAutostart(autostartFacts(facts));
  if (autostart !== null && deadline > autostart) return { deadline: later(autostart, ttlMs), deadlineRule: 'autostart' };
  return { deadline, deadlineRule: facts.allowUserAutostop ? 'ttl' : 'template_ttl' };
}

function autostartFacts(facts: Pick<DeadlineFacts, 'autostartSchedule' | 'allowedAutostartDays'> & { readonly now: Date }): AutostartFacts {
  return { schedule: facts.autostartSchedule, after: facts.now, allowedDays: facts.allowedAutostartDays };
}

function capped(deadlines: Deadlines): Deadlines {
  const { deadline, maxDeadline } = deadlines;
  if (maxDeadline === null || (deadline !== null && deadline <= maxDeadline)) return deadlines;
  return { deadline: maxDeadline, deadlineRule: 'autostop_requirement', maxDeadline };
}

function later(time: Date, millis: number): Date {
  return new Date(time.getTime() + millis);
}

/** How much of the bump's length must have passed since the last one. */
const BUMP_SHARE = 0.05;

export interface BumpFacts extends TtlFacts, Deadlines {
  readonly now: Date;
  /** The template's; 0 is none. */
  readonly activityBumpMs: number;
  readonly autostartSchedule: string | null;
  readonly allowedAutostartDays: number;
}

/**
 * The deadline that activity at `now` makes of the one that is: at least the template's bump away, over the next autostart for as long
 * as that start would live, never beyond the longest deadline. Null: it stays as it is. Of a running workspace only.
 */
export function bumpedDeadline(facts: BumpFacts): Pick<Deadlines, 'deadline' | 'deadlineRule'> | null {
  const { now, deadline, activityBumpMs, maxDeadline } = facts;
  if (deadline === null || activityBumpMs <= 0) return null;
  const isRecent = deadline.getTime() - (1 - BUMP_SHARE) * activityBumpMs >= now.getTime();
  if (isRecent) return null;
  const autostart = nextAutostart(autostartFacts(facts));
  const bumped = later(now, activityBumpMs);
  const ttlMs = effectiveTtlMs(facts);
  const wanted: Deadlines =
    autostart !== null && ttlMs !== null && bumped > autostart
      ? { deadline: later(autostart, ttlMs), deadlineRule: 'autostart', maxDeadline }
      : { deadline: bumped, deadlineRule: 'activity', maxDeadline };
  const result = capped(wanted);
  if (result.deadline === null || result.deadline <= deadline) return null;
  return { deadline: result.deadline, deadlineRule: result.deadlineRule };
}

/** How far ahead an extended deadline must lie. */
export const EXTEND_MIN_MS = 29 * MINUTE_MS;

export interface ExtendFacts {
  readonly now: Date;
  /** The deadline asked for. */
  readonly requested: Date;
  readonly allowUserAutostop: boolean;
  /** The latest build; null where there is none. */
  readonly build: {
    readonly transition: Transition;
    readonly hasSucceeded: boolean;
    readonly deadline: Date | null;
    readonly maxDeadline: Date | null;
  } | null;
}

export interface ExtendProblem {
  readonly kind: 'conflict' | 'invalid';
  readonly detail: string;
}

/** Why a deadline cannot be moved to the one asked for, or null. */
export function extendProblem({ now, requested, allowUserAutostop, build }: ExtendFacts): ExtendProblem | null {
  if (build === null || build.transition !== 'start' || !build.hasSucceeded) {
    return { kind: 'conflict', detail: 'The workspace is not running.' };
  }
  if (build.deadline === null) return { kind: 'conflict', detail: 'The workspace has no deadline that could be moved.' };
  if (!allowUserAutostop) return { kind: 'invalid', detail: 'The template of this workspace decides alone when it stops.' };
  if (requested.getTime() < now.getTime() + EXTEND_MIN_MS) {
    return { kind: 'invalid', detail: 'The deadline must be at least 29 minutes ahead.' };
  }
  if (build.maxDeadline !== null && requested > build.maxDeadline) {
    return { kind: 'invalid', detail: `The workspace must stop by ${build.maxDeadline.toISOString()}.` };
  }
  return null;
}

export interface RecomputeFacts extends DeadlineFacts, Deadlines {
  readonly now: Date;
  /** When the start completed. */
  readonly completedAt: Date;
}

/**
 * The deadlines of a running workspace after its template's schedule changed; null: they stay. The longest deadline is the one that the
 * start would get now, but at least two hours away, so that nobody is stopped out of the blue; who is to be stopped within two hours
 * still is. The deadline is only pulled down to it, and where the old requirement made it, loosened with the requirement.
 */
export function recomputedDeadlines(facts: RecomputeFacts): Deadlines | null {
  const { now, completedAt, deadline, deadlineRule, maxDeadline } = facts;
  const earliest = later(now, MAX_DEADLINE_LEEWAY_MS);
  if (maxDeadline !== null && maxDeadline < earliest) return null;
  const required = requiredStop({ ...facts, now: completedAt });
  const newMax = required === null || required > earliest ? required : earliest;
  const own = deadlineRule === 'autostop_requirement' ? ttlDeadline({ ...facts, now: completedAt }) : { deadline, deadlineRule };
  // What a time to live would have ended meanwhile goes on as long as the old requirement let it.
  const isOver = own.deadline !== null && deadline !== null && own.deadline < deadline;
  const result = capped({ ...(isOver ? { ...own, deadline } : own), maxDeadline: newMax });
  const isSame =
    result.deadlineRule === deadlineRule && isSameTime(result.deadline, deadline) && isSameTime(result.maxDeadline, maxDeadline);
  return isSame ? null : result;
}

function isSameTime(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
