import type { Template } from '@berth/db';
import type { PolicyChange, SharingLevel, TemplatePolicy } from '@berth/domain';
import { dayMask } from '@berth/domain';
import { Acl } from '../acl.ts';
import type { UpdateTemplateRequest } from './contract.ts';

/** The row as a change leaves it: what the request does not name stays. Only the columns; what else it does, its use case does. */
export function changedTemplate(row: Template, input: UpdateTemplateRequest): Template {
  return {
    ...row,
    name: input.name === undefined || input.name === '' ? row.name : input.name,
    displayName: input.display_name ?? row.displayName,
    description: input.description ?? row.description,
    icon: input.icon ?? row.icon,
    deprecationMessage: input.deprecation_message ?? row.deprecationMessage,
    defaultTtlMs: millis(input.default_ttl_ms, row.defaultTtlMs),
    activityBumpMs: millis(input.activity_bump_ms, row.activityBumpMs),
    failureTtlMs: millis(input.failure_ttl_ms, row.failureTtlMs),
    timeTilDormantMs: millis(input.time_til_dormant_ms, row.timeTilDormantMs),
    timeTilDormantAutodeleteMs: millis(input.time_til_dormant_autodelete_ms, row.timeTilDormantAutodeleteMs),
    autostartDaysOfWeek:
      input.autostart_requirement?.days_of_week === undefined ? row.autostartDaysOfWeek : dayMask(input.autostart_requirement.days_of_week),
    autostopDaysOfWeek:
      input.autostop_requirement?.days_of_week === undefined ? row.autostopDaysOfWeek : dayMask(input.autostop_requirement.days_of_week),
    autostopWeeks: Math.max(1, input.autostop_requirement?.weeks ?? row.autostopWeeks),
    allowUserAutostart: input.allow_user_autostart ?? row.allowUserAutostart,
    allowUserAutostop: input.allow_user_autostop ?? row.allowUserAutostop,
    allowUserCancelWorkspaceJobs: input.allow_user_cancel_workspace_jobs ?? row.allowUserCancelWorkspaceJobs,
    requireActiveVersion: input.require_active_version ?? row.requireActiveVersion,
    maxPortShareLevel: input.max_port_share_level ?? row.maxPortShareLevel,
    groupAcl: input.disable_everyone_group_access === true ? withoutEveryone(row) : row.groupAcl,
  };
}

function millis(given: number | undefined, present: bigint): bigint {
  return given === undefined ? present : BigInt(given);
}

function withoutEveryone({ groupAcl, organizationId }: Template): Acl {
  const { [organizationId]: _everyone, ...others } = Acl.parse(groupAcl);
  return others;
}

/** The rules of a template that reach into its workspaces. */
function policyOf(row: Template): TemplatePolicy {
  return {
    schedule: {
      defaultTtlMs: Number(row.defaultTtlMs),
      activityBumpMs: Number(row.activityBumpMs),
      failureTtlMs: Number(row.failureTtlMs),
      timeTilDormantMs: Number(row.timeTilDormantMs),
      timeTilDormantAutodeleteMs: Number(row.timeTilDormantAutodeleteMs),
      autostopRequirement: { daysOfWeek: row.autostopDaysOfWeek, weeks: row.autostopWeeks },
      autostartDaysOfWeek: row.autostartDaysOfWeek,
      allowUserAutostart: row.allowUserAutostart,
      allowUserAutostop: row.allowUserAutostop,
      requireActiveVersion: row.requireActiveVersion,
    },
    // The column carries a check constraint with these very values.
    maxPortShareLevel: row.maxPortShareLevel as SharingLevel,
  };
}

/** A change as the rules see it. */
export function policyChange(row: Template, input: UpdateTemplateRequest, now: Date): PolicyChange {
  return {
    now,
    before: policyOf(row),
    after: policyOf(changedTemplate(row, input)),
    actions: {
      resetsLastUse: input.update_workspace_last_used_at === true,
      resetsDormancy: input.update_workspace_dormant_at === true,
    },
  };
}
