import type { Template } from '@berth/db';

/** What the audit log tracks of a template, under its wire names; times in milliseconds. */
export function trackedTemplate(row: Template): Record<string, unknown> {
  return {
    id: row.id,
    name: row.name,
    display_name: row.displayName,
    provisioner: row.provisioner,
    active_version_id: row.activeVersionId,
    description: row.description,
    icon: row.icon,
    default_ttl: row.defaultTtlMs,
    activity_bump: row.activityBumpMs,
    failure_ttl: row.failureTtlMs,
    time_til_dormant: row.timeTilDormantMs,
    time_til_dormant_autodelete: row.timeTilDormantAutodeleteMs,
    autostart_block_days_of_week: 127 & ~row.autostartDaysOfWeek,
    autostop_requirement_days_of_week: row.autostopDaysOfWeek,
    autostop_requirement_weeks: row.autostopWeeks,
    created_by: row.createdById,
    group_acl: row.groupAcl,
    user_acl: row.userAcl,
    allow_user_autostart: row.allowUserAutostart,
    allow_user_autostop: row.allowUserAutostop,
    allow_user_cancel_workspace_jobs: row.allowUserCancelWorkspaceJobs,
    require_active_version: row.requireActiveVersion,
    deprecated: row.deprecationMessage,
    max_port_sharing_level: row.maxPortShareLevel,
  };
}
