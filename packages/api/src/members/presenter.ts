import { presentHeldRole } from '../roles/index.ts';
import type { OrganizationMember, OrganizationMemberWithUser } from './contract.ts';
import type { MemberRow } from './member-rows.ts';

/** What people read for custom roles, by name. */
export interface RoleNames {
  readonly organization: ReadonlyMap<string, string>;
  readonly site: ReadonlyMap<string, string>;
}

export function presentMember(row: MemberRow, roleNames: Pick<RoleNames, 'organization'>): OrganizationMember {
  return {
    user_id: row.userId,
    organization_id: row.organizationId,
    roles: row.roles.map((name) => presentHeldRole(name, { organizationId: row.organizationId, displayNames: roleNames.organization })),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentMemberWithUser(row: MemberRow, roleNames: RoleNames): OrganizationMemberWithUser {
  return {
    ...presentMember(row, roleNames),
    username: row.user.username,
    name: row.user.name,
    email: row.user.email,
    avatar_url: row.user.avatarUrl,
    global_roles: row.user.siteRoles.map((name) => presentHeldRole(name, { organizationId: null, displayNames: roleNames.site })),
  };
}
