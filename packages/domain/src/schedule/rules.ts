import { isJobActive } from '../build-states.ts';
import { dormantAt } from './dormancy.ts';
import type { ScheduleFacts } from './facts.ts';
import { nextAutostart } from './occurrences.ts';

/** After a delete that went wrong, the next try waits this long. */
export const DELETE_RETRY_MS = 24 * 60 * 60 * 1000;

/** What a rule does to a workspace, in the order in which the rules are asked. */
export const SCHEDULE_RULES = ['owner_suspended', 'deadline', 'autostart', 'failure', 'dormancy', 'dormant_stop', 'autodelete'] as const;
export type ScheduleRule = (typeof SCHEDULE_RULES)[number];

type TimeOf = (facts: ScheduleFacts) => Date | null;

const ALWAYS = new Date(0);

/** From when on each rule holds for a workspace as it is; null: it does not. */
export const RULE_TIMES: Readonly<Record<ScheduleRule, TimeOf>> = {
  owner_suspended: (facts) => (isStarted(facts) && facts.ownerStatus === 'suspended' ? ALWAYS : null),
  deadline: (facts) => (isStarted(facts) ? (facts.build?.deadline ?? null) : null),
  autostart: (facts) => (isStopped(facts) ? autostartAt(facts) : null),
  failure: failureStopAt,
  dormancy: ({ workspace, template }) => dormantAt({ ...workspace, timeTilDormantMs: template.timeTilDormantMs }),
  dormant_stop: ({ workspace, build }) => (workspace.dormantAt !== null && build?.transition === 'start' ? ALWAYS : null),
  autodelete: autodeleteAt,
};

/**
 * The rules that hold for a workspace now, the first one first. None while a build is under way, so that a person's build is never
 * crossed.
 */
export function dueRules(facts: ScheduleFacts, now: Date): readonly ScheduleRule[] {
  if (!isIdle(facts)) return [];
  return SCHEDULE_RULES.filter((rule) => {
    const from = RULE_TIMES[rule](facts);
    return from !== null && from <= now;
  });
}

/** Whether its latest build ended, and was no delete that succeeded. */
export function isIdle({ build }: ScheduleFacts): boolean {
  if (build === null || isJobActive(build.status)) return false;
  return build.transition !== 'delete' || build.status !== 'succeeded';
}

/** A start that did not fail: something may run. */
function isStarted({ build }: ScheduleFacts): boolean {
  return build !== null && build.transition === 'start' && build.status !== 'failed';
}

function isStopped({ build }: ScheduleFacts): boolean {
  return build !== null && build.transition === 'stop' && build.status !== 'failed';
}

/**
 * The next autostart after the latest build, or after the schedule was set where that is later; null where the owner, the template or
 * dormancy forbid any.
 */
export function autostartAt({ ownerStatus, workspace, template, build }: ScheduleFacts): Date | null {
  if (build === null || ownerStatus !== 'active' || workspace.dormantAt !== null || !template.allowUserAutostart) return null;
  const since = workspace.autostartSince;
  return nextAutostart({
    schedule: workspace.autostartSchedule,
    after: since !== null && since > build.createdAt ? since : build.createdAt,
    allowedDays: template.autostartDaysOfWeek,
  });
}

function failureStopAt({ workspace, template, build }: ScheduleFacts): Date | null {
  // What is dormant is stopped at once.
  if (workspace.dormantAt !== null) return null;
  if (template.failureTtlMs <= 0 || build?.transition !== 'start' || build.status !== 'failed' || build.completedAt === null) return null;
  return new Date(build.completedAt.getTime() + template.failureTtlMs);
}

function autodeleteAt({ workspace, template, build }: ScheduleFacts): Date | null {
  const { dormantAt: since, deletingAt } = workspace;
  if (since === null || deletingAt === null || template.timeTilDormantAutodeleteMs <= 0) return null;
  if (build?.transition !== 'delete' || build.completedAt === null) return deletingAt;
  const retry = new Date(build.completedAt.getTime() + DELETE_RETRY_MS);
  return retry > deletingAt ? retry : deletingAt;
}
