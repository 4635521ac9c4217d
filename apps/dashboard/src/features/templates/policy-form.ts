import type { Template } from '@berth/api/contract/templates';
import type { SharingLevel, Weekday } from '@berth/domain';

/** The rules by which a template's workspaces live, as the form has them. */
export interface PolicyValues {
  readonly default_ttl_ms: number;
  readonly activity_bump_ms: number;
  readonly allow_user_autostop: boolean;
  readonly allow_user_autostart: boolean;
  readonly autostart_days: Weekday[];
  readonly autostop_days: Weekday[];
  readonly autostop_weeks: number;
  readonly failure_ttl_ms: number;
  readonly time_til_dormant_ms: number;
  readonly time_til_dormant_autodelete_ms: number;
  readonly require_active_version: boolean;
  readonly allow_user_cancel_workspace_jobs: boolean;
  readonly max_port_share_level: SharingLevel;
}

export function policyOf(template: Template): PolicyValues {
  return {
    default_ttl_ms: template.default_ttl_ms,
    activity_bump_ms: template.activity_bump_ms,
    allow_user_autostop: template.allow_user_autostop,
    allow_user_autostart: template.allow_user_autostart,
    autostart_days: template.autostart_requirement.days_of_week,
    autostop_days: template.autostop_requirement.days_of_week,
    autostop_weeks: Math.max(1, template.autostop_requirement.weeks),
    failure_ttl_ms: template.failure_ttl_ms,
    time_til_dormant_ms: template.time_til_dormant_ms,
    time_til_dormant_autodelete_ms: template.time_til_dormant_autodelete_ms,
    require_active_version: template.require_active_version,
    allow_user_cancel_workspace_jobs: template.allow_user_cancel_workspace_jobs,
    max_port_share_level: template.max_port_share_level,
  };
}

/** What a request says: only what is different, so that two people who change different rules do not undo each other. */
export function changedPolicy(before: PolicyValues, after: PolicyValues) {
  const { autostart_days: startDays, autostop_days: stopDays, autostop_weeks: weeks, ...rest } = after;
  const plain = Object.fromEntries(Object.entries(rest).filter(([key, value]) => Reflect.get(before, key) !== value));
  return {
    ...plain,
    ...(sameDays(before.autostart_days, startDays) ? {} : { autostart_requirement: { days_of_week: startDays } }),
    ...(sameDays(before.autostop_days, stopDays) && before.autostop_weeks === weeks
      ? {}
      : { autostop_requirement: { days_of_week: stopDays, weeks } }),
  };
}

function sameDays(one: readonly Weekday[], other: readonly Weekday[]): boolean {
  return one.length === other.length && one.every((day) => other.includes(day));
}

/** Fields that a refusal can name, by the names of the wire. */
export const POLICY_FIELDS = [
  'default_ttl_ms',
  'activity_bump_ms',
  'failure_ttl_ms',
  'time_til_dormant_ms',
  'time_til_dormant_autodelete_ms',
] as const;
