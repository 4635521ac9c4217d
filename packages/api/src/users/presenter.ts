import type { Prisma } from '@berth/db';
import type { LoginType, UserStatus } from '@berth/domain';
import { roleDisplayName } from '@berth/rbac';
import type { ReducedUser, User } from './contract.ts';

export const reducedUserSelect = {
  id: true,
  username: true,
  name: true,
  email: true,
  avatarUrl: true,
  createdAt: true,
  updatedAt: true,
  lastSeenAt: true,
  loginType: true,
  status: true,
  themePreference: true,
} as const satisfies Prisma.UserSelect;

export const userSelect = {
  ...reducedUserSelect,
  siteRoles: true,
  memberships: { select: { organizationId: true }, orderBy: { createdAt: 'asc' } },
} as const satisfies Prisma.UserSelect;

export type ReducedUserRow = Prisma.UserGetPayload<{ select: typeof reducedUserSelect }>;
export type UserRow = Prisma.UserGetPayload<{ select: typeof userSelect }>;

/** The user as a group member: without organizations and roles. */
export function presentReducedUser(row: ReducedUserRow): ReducedUser {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    avatar_url: row.avatarUrl,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    // The columns carry check constraints with these very values.
    login_type: row.loginType as LoginType,
    status: row.status as UserStatus,
    theme_preference: row.themePreference,
  };
}

/** `customRoles` has the display names of custom roles of the site, by name; a role that is not there is shown by its name. */
export function presentUser(row: UserRow, customRoles: ReadonlyMap<string, string> = new Map()): User {
  return {
    ...presentReducedUser(row),
    organization_ids: row.memberships.map((membership) => membership.organizationId),
    roles: row.siteRoles.map((name) => ({ name, display_name: roleDisplayName(name, customRoles.get(name)), organization_id: '' })),
  };
}
