import type { CustomRole } from './role-rows.ts';

/** What the audit log tracks of a custom role. */
export function auditedRole(role: CustomRole): Readonly<Record<string, unknown>> {
  return {
    name: role.name,
    display_name: role.displayName,
    site_permissions: role.site,
    org_permissions: role.organization,
    user_permissions: role.user,
  };
}
