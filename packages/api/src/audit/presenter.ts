import { NIL_UUID } from '@berth/core';
import type { AuditAction, AuditResourceType } from '@berth/domain';
import { auditDescription, auditResourceLink, PRIMARY_PROXY_NAME } from '@berth/domain';
import { roleDisplayName } from '@berth/rbac';
import type { AuditLog } from './contract.ts';
import type { AuditJsonPerson, AuditJsonRow } from './rows-sql.ts';
import { LOOKED_UP_TYPES } from './rows-sql.ts';

const utf8 = new TextEncoder();

/** Rows as the wire shows them, but for what the output schema checks anyway. `people` are those whom the rows name. */
export function presentAuditRows(rows: readonly AuditJsonRow[], people: readonly AuditJsonPerson[]): AuditLog[] {
  const users = usersOf(people);
  return rows.map((row) => ({
    ...presentReadableRow(row, userOf(row, users)),
    additional_fields: [...utf8.encode(JSON.stringify(row.additional_fields))],
  }));
}

/** The same for whoever writes them on: without the further fields once more as bytes, which nobody reads there. */
export function presentReadableRows(rows: readonly AuditJsonRow[], people: readonly AuditJsonPerson[]): ReadableAuditLog[] {
  const users = usersOf(people);
  return rows.map((row) => presentReadableRow(row, userOf(row, users)));
}

export type ReadableAuditLog = Omit<AuditLog, 'additional_fields'>;
type Users = ReadonlyMap<string, AuditLog['user']>;

function usersOf(people: readonly AuditJsonPerson[]): Users {
  return new Map(people.map(({ id, site_roles: roles, user }) => [id, { ...user, roles: presentRoles(roles) } as AuditLog['user']]));
}

function userOf(row: AuditJsonRow, users: Users): AuditLog['user'] {
  return row.user_id === null ? null : (users.get(row.user_id) ?? null);
}

function presentReadableRow(row: AuditJsonRow, user: AuditLog['user']): ReadableAuditLog {
  // The writer of rows takes only these values.
  const resourceType = row.resource_type as AuditResourceType;
  const action = row.action as AuditAction;
  const { resource } = row;
  const isDeleted = resource === null ? LOOKED_UP_TYPES.includes(resourceType) && !isPrimaryProxy(row) : resource.deleted;
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
      target: resource?.name ?? row.resource_target,
      isDeleted,
      ...(resource?.owner === undefined ? {} : { workspaceOwner: resource.owner }),
      ...(resource?.workspace === undefined ? {} : { workspaceName: resource.workspace }),
      ...(resource?.number === undefined ? {} : { buildNumber: resource.number }),
      ...(resource?.app_id === undefined ? {} : { appId: resource.app_id }),
    }),
    description: auditDescription({ action, resourceType, statusCode: row.status_code }),
    diff: row.diff as AuditLog['diff'],
    additional_fields_decoded: row.additional_fields,
    ip: row.ip,
    user_agent: row.user_agent,
    request_id: row.request_id,
    status_code: row.status_code,
    is_deleted: isDeleted,
    organization_id: row.organization_id ?? NIL_UUID,
    organization: row.organization,
    user,
  };
}

function presentRoles(names: readonly string[]): { name: string; display_name: string; organization_id: string }[] {
  return names.map((name) => ({ name, display_name: roleDisplayName(name), organization_id: '' }));
}

/** The server itself has no row among the proxies, and its name is reserved. */
function isPrimaryProxy(row: AuditJsonRow): boolean {
  return row.resource_type === 'workspace_proxy' && row.resource_target === PRIMARY_PROXY_NAME;
}
