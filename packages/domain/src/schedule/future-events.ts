import { WEEKDAYS } from '../enums.ts';
import { deletingAt } from './dormancy.ts';
import type { ScheduleFacts } from './facts.ts';
import { hasDay, nextAutostart } from './occurrences.ts';
import { RULE_TIMES, autostartAt, isIdle } from './rules.ts';

export const SCHEDULE_EVENT_KINDS = ['autostart', 'autostop', 'must_stop', 'failure_stop', 'dormant', 'delete'] as const;
export type ScheduleEventKind = (typeof SCHEDULE_EVENT_KINDS)[number];

/** What makes the time of an event. */
export const SCHEDULE_EVENT_RULES = [
  'ttl',
  'template_ttl',
  'autostop_requirement',
  'autostart',
  'extended',
  'activity',
  'owner_suspended',
  'dormant',
  'failure_ttl',
  'time_til_dormant',
  'time_til_dormant_autodelete',
] as const;
export type ScheduleEventRule = (typeof SCHEDULE_EVENT_RULES)[number];

/** Something that will happen to a workspace by itself, if nothing happens before. */
export interface ScheduleEvent {
  readonly kind: ScheduleEventKind;
  /** Never in the past: what is overdue happens now. */
  readonly time: Date;
  readonly rule: ScheduleEventRule;
  /** The setting behind the rule, by its name in the API; empty where a person or an account is the reason. */
  readonly setting: string;
  /** Its value: milliseconds, or a text such as the schedule; null where there is none. */
  readonly value: number | string | null;
}

/** Every future event of a workspace as it is now, soonest first. */
export function futureEvents(facts: ScheduleFacts, now: Date): readonly ScheduleEvent[] {
  const events = [...stops(facts), ...starts(facts, now), ...endings(facts)];
  return events
    .map((event) => ({ ...event, time: event.time > now ? event.time : now }))
    .toSorted((a, b) => a.time.getTime() - b.time.getTime());
}

function stops(facts: ScheduleFacts): readonly ScheduleEvent[] {
  if (!isIdle(facts)) return [];
  const { build, template } = facts;
  const failure = RULE_TIMES.failure(facts);
  if (failure !== null) {
    return [{ kind: 'failure_stop', time: failure, rule: 'failure_ttl', setting: 'failure_ttl_ms', value: template.failureTtlMs }];
  }
  const suspended = RULE_TIMES.owner_suspended(facts);
  if (suspended !== null) return [{ kind: 'autostop', time: suspended, rule: 'owner_suspended', setting: '', value: null }];
  const asleep = RULE_TIMES.dormant_stop(facts);
  if (asleep !== null) return [{ kind: 'autostop', time: asleep, rule: 'dormant', setting: '', value: null }];
  const deadline = RULE_TIMES.deadline(facts);
  if (build === null || deadline === null) return [];
  const stop: ScheduleEvent = { kind: 'autostop', time: deadline, ...reasonOfDeadline(facts) };
  if (build.maxDeadline === null) return [stop];
  return [stop, { kind: 'must_stop', time: build.maxDeadline, ...reasonOfRequirement(facts) }];
}

type Reason = Pick<ScheduleEvent, 'rule' | 'setting' | 'value'>;

function reasonOfDeadline(facts: ScheduleFacts): Reason {
  const { workspace, template, build } = facts;
  const rule = build?.deadlineRule ?? '';
  switch (rule) {
    case '':
    case 'ttl':
      return { rule: 'ttl', setting: 'ttl_ms', value: workspace.ttlMs };
    case 'template_ttl':
      return { rule, setting: 'default_ttl_ms', value: template.defaultTtlMs };
    case 'autostop_requirement':
      return reasonOfRequirement(facts);
    case 'autostart':
      return { rule, setting: 'autostart_schedule', value: workspace.autostartSchedule };
    case 'extended':
      return { rule, setting: '', value: null };
    case 'activity':
      return { rule, setting: 'activity_bump_ms', value: template.activityBumpMs };
  }
}

function reasonOfRequirement({ template: { autostopRequirement }, quietHours }: ScheduleFacts): Reason {
  const days = WEEKDAYS.filter((_, index) => hasDay(autostopRequirement.daysOfWeek, (index + 1) % 7)).join(', ');
  const weeks = autostopRequirement.weeks > 1 ? ` every ${autostopRequirement.weeks} weeks` : '';
  const time = [quietHours.hour, quietHours.minute].map((part) => String(part).padStart(2, '0')).join(':');
  const at = `${time} ${quietHours.cron.timezone}`;
  return {
    rule: 'autostop_requirement',
    setting: 'autostop_requirement',
    value: days === '' ? at : `${days}${weeks} at ${at}`,
  };
}

/** A workspace that runs starts by itself only when it has stopped before. */
function starts(facts: ScheduleFacts, now: Date): readonly ScheduleEvent[] {
  const { workspace, template, build } = facts;
  const due = autostartAt(facts);
  if (build === null || due === null || build.status === 'failed') return [];
  const isWaiting = build.transition === 'stop' || due > now;
  const next = isWaiting
    ? due
    : nextAutostart({ schedule: workspace.autostartSchedule, after: now, allowedDays: template.autostartDaysOfWeek });
  const stop = RULE_TIMES.deadline(facts);
  const staysUp = build.transition === 'start' && (stop === null || next === null || stop > next);
  if (next === null || staysUp || build.transition === 'delete') return [];
  return [{ kind: 'autostart', time: next, rule: 'autostart', setting: 'autostart_schedule', value: workspace.autostartSchedule }];
}

function endings(facts: ScheduleFacts): readonly ScheduleEvent[] {
  const { workspace, template } = facts;
  const asleep = RULE_TIMES.dormancy(facts);
  const deletion =
    workspace.dormantAt === null
      ? deletingAt({ since: asleep, autodeleteMs: template.timeTilDormantAutodeleteMs })
      : RULE_TIMES.autodelete(facts);
  return [
    ...(asleep === null
      ? []
      : [
          {
            kind: 'dormant',
            time: asleep,
            rule: 'time_til_dormant',
            setting: 'time_til_dormant_ms',
            value: template.timeTilDormantMs,
          } as const,
        ]),
    ...(deletion === null
      ? []
      : [
          {
            kind: 'delete',
            time: deletion,
            rule: 'time_til_dormant_autodelete',
            setting: 'time_til_dormant_autodelete_ms',
            value: template.timeTilDormantAutodeleteMs,
          } as const,
        ]),
  ];
}
