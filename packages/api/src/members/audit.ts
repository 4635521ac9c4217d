import type { MemberRow } from './member-rows.ts';

/** What the audit log tracks of a member. */
export function auditedMember(row: MemberRow): Readonly<Record<string, unknown>> {
  return {
    username: row.user.username,
    user_id: row.userId,
    roles: row.roles,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
