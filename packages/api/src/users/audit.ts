import type { UserRow } from './presenter.ts';

/** What the audit log tracks of a user. Passwords and passcodes are never among it. */
export function auditedUser(row: UserRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    name: row.name,
    status: row.status,
    rbac_roles: row.siteRoles,
    login_type: row.loginType,
    deleted: false,
    theme_preference: row.themePreference,
  };
}
