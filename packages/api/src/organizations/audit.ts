import type { OrganizationRow } from './resolve.ts';

/** What the audit log tracks of an organization. */
export function auditedOrganization(row: OrganizationRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    display_name: row.displayName,
    description: row.description,
    icon: row.icon,
    is_default: row.isDefault,
    updated_at: row.updatedAt,
  };
}
