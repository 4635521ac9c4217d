import { conflict, invalid, newId } from '@berth/core';
import type { Template } from '@berth/db';
import { isUniqueViolation, sameText } from '@berth/db';
import type { Weekday } from '@berth/domain';
import { ALL_DAYS, dayMask } from '@berth/domain';
import { writeAuditRow } from '../kernel/audit.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { TrackedVersion } from '../template-versions/insert-version.ts';
import type { CreateTemplateRequest } from './contract.ts';
import { trackedTemplate } from './audit.ts';
import type { z } from 'zod';

export type NewTemplate = Omit<z.output<typeof CreateTemplateRequest>, 'template_version_id'>;

const HOUR_MS = 3_600_000;

/**
 * Makes a template whose active version is `version`, attaches the version, and writes the audit row of that. Names the template for
 * the procedure's own audit row. The caller has authorised this.
 *
 * @throws conflict when the name is taken; invalid when the version got a template meanwhile.
 */
export async function insertTemplate(
  call: UserCall,
  {
    organizationId,
    provisioner,
    version,
    input,
  }: { organizationId: string; provisioner: string; version: TrackedVersion; input: NewTemplate },
): Promise<Template> {
  const { db, services, principal } = call;
  const id = newId();
  call.audit.set({ resourceId: id, target: input.name, icon: input.icon ?? '', organizationId });
  const taken = await db.template.findFirst({
    where: { organizationId, deleted: false, name: sameText(input.name) },
    select: { id: true },
  });
  if (taken !== null) throw nameTaken();

  const now = services.clock.now();
  const row = await db.template
    .create({
      data: {
        id,
        organizationId,
        provisioner,
        activeVersionId: version.id,
        createdById: principal.userId,
        createdAt: now,
        updatedAt: now,
        groupAcl: input.disable_everyone_group_access === true ? {} : { [organizationId]: ['read'] },
        ...columnsOf(input),
      },
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken() : error;
    });
  const { count } = await db.templateVersion.updateMany({
    where: { id: version.id, templateId: null },
    data: { templateId: id, updatedAt: now },
  });
  if (count === 0) throw versionAttached();
  call.audit.update({ after: trackedTemplate(row) });
  await writeAuditRow(db, {
    resource: 'template_version',
    action: 'write',
    userId: principal.userId,
    statusCode: 200,
    request: call.request,
    resourceId: version.id,
    target: version.name,
    organizationId,
    before: { ...version },
    after: { ...version, template_id: id },
  });
  return row;
}

function columnsOf(input: NewTemplate) {
  return {
    name: input.name,
    displayName: input.display_name ?? '',
    description: input.description ?? '',
    icon: input.icon ?? '',
    defaultTtlMs: input.default_ttl_ms ?? 0,
    activityBumpMs: input.activity_bump_ms ?? HOUR_MS,
    failureTtlMs: input.failure_ttl_ms ?? 0,
    timeTilDormantMs: input.dormant_ttl_ms ?? 0,
    timeTilDormantAutodeleteMs: input.delete_ttl_ms ?? 0,
    autostartDaysOfWeek: maskOf(input.autostart_requirement?.days_of_week, ALL_DAYS),
    autostopDaysOfWeek: maskOf(input.autostop_requirement?.days_of_week, 0),
    autostopWeeks: Math.max(1, input.autostop_requirement?.weeks ?? 1),
    allowUserAutostart: input.allow_user_autostart ?? true,
    allowUserAutostop: input.allow_user_autostop ?? true,
    allowUserCancelWorkspaceJobs: input.allow_user_cancel_workspace_jobs ?? false,
    requireActiveVersion: input.require_active_version ?? false,
    maxPortShareLevel: input.max_port_share_level ?? 'owner',
  };
}

function maskOf(days: readonly Weekday[] | undefined, fallback: number): number {
  return days === undefined ? fallback : dayMask(days);
}

export function versionAttached(): Error {
  return invalid('Validation failed.', [{ field: 'template_version_id', detail: 'the version belongs to a template already' }]);
}

export function nameTaken(): Error {
  return conflict('A template with this name exists.', [
    { field: 'name', detail: 'is already used by another template of the organization' },
  ]);
}
