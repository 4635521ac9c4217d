import { NIL_UUID } from '@berth/core';
import type { AuditAction, AuditResourceType } from '@berth/domain';
import { auditDescription, auditResourceLink } from '@berth/domain';
import { roleDisplayName } from '@berth/rbac';
import type { AuditLog } from './contract.ts';
import type { AuditJsonRow } from './page-sql.ts';

const utf8 = new TextEncoder();

/** A row as the wire shows it, but for what the output schema checks anyway. */
export function presentAuditRow(row: AuditJsonRow): AuditLog {
  // The writer of rows takes only these values.
  const resourceType = row.resource_type as AuditResourceType;
  const action = row.action as AuditAction;
  const { link } = row;
  return {
    id: row.id,
    time: row.time,
    action,
    resource_type: resourceType,
    resource_id: row.resource_id,
    resource_target: row.resource_target,
    resource_icon: row.resource_icon,
    resource_link: auditResourceLink({
      resourceType,
      target: link?.name ?? row.resource_target,
      isDeleted: row.is_deleted,
      ...(link?.owner === undefined ? {} : { workspaceOwner: link.owner }),
      ...(link?.workspace === undefined ? {} : { workspaceName: link.workspace }),
      ...(link?.number === undefined ? {} : { buildNumber: link.number }),
      ...(link?.app_id === undefined ? {} : { appId: link.app_id }),
    }),
    description: auditDescription({ action, resourceType, statusCode: row.status_code }),
    diff: row.diff as AuditLog['diff'],
    additional_fields: [...utf8.encode(JSON.stringify(row.additional_fields))],
    additional_fields_decoded: row.additional_fields,
    ip: row.ip,
    user_agent: row.user_agent,
    request_id: row.request_id,
    status_code: row.status_code,
    is_deleted: row.is_deleted,
    organization_id: row.organization_id ?? NIL_UUID,
    organization: row.organization,
    user: row.user === null ? null : ({ ...row.user, roles: presentRoles(row.site_roles ?? []) } as AuditLog['user']),
  };
}

function presentRoles(names: readonly string[]): { name: string; display_name: string; organization_id: string }[] {
  return names.map((name) => ({ name, display_name: roleDisplayName(name), organization_id: '' }));
}
