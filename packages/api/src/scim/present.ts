import type { Prisma } from '@berth/db';
import type { Settings } from '../kernel/context.ts';
import { userSelect } from '../users/index.ts';
import type { ScimGroup, ScimUser } from './contract.ts';
import { SCIM_GROUP, SCIM_USER } from './contract.ts';
import { splitName } from './user-changes.ts';

/** Groups of one account that a resource shows. */
const GROUPS_SHOWN = 1000;
/** Members that one answer shows, of all its groups together. */
export const MEMBERS_SHOWN = 20_000;

export const scimUserSelect = {
  ...userSelect,
  scimExternalId: true,
  scimUserName: true,
  groupMemberships: {
    where: { group: { source: 'oidc', organization: { isDefault: true } } },
    select: { group: { select: { id: true, name: true, displayName: true } } },
    orderBy: { groupId: 'asc' },
    take: GROUPS_SHOWN,
  },
} as const satisfies Prisma.UserSelect;
export type ScimUserRow = Prisma.UserGetPayload<{ select: typeof scimUserSelect }>;

export const scimGroupSelect = {
  id: true,
  organizationId: true,
  name: true,
  displayName: true,
  avatarUrl: true,
  quotaAllowance: true,
  scimExternalId: true,
  createdAt: true,
} as const satisfies Prisma.GroupSelect;
export type ScimGroupRow = Prisma.GroupGetPayload<{ select: typeof scimGroupSelect }>;

export interface ShownMember {
  readonly id: string;
  readonly username: string;
}

const location = ({ accessUrl }: Settings, type: 'Users' | 'Groups', id: string): string => `${accessUrl}/scim/v2/${type}/${id}`;

/** An account goes by the name that the provider gave it, else by its e-mail address. */
export function presentScimUser(settings: Settings, row: ScimUserRow): ScimUser {
  return {
    schemas: [SCIM_USER],
    id: row.id,
    ...(row.scimExternalId === null ? {} : { externalId: row.scimExternalId }),
    userName: row.scimUserName ?? row.email,
    name: { formatted: row.name, ...splitName(row.name) },
    displayName: row.name,
    active: row.status !== 'suspended',
    emails: [{ value: row.email, type: 'work', primary: true, display: row.email }],
    groups: row.groupMemberships.map(({ group }) => ({
      value: group.id,
      display: groupDisplayName(group),
      type: 'direct',
      $ref: location(settings, 'Groups', group.id),
    })),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: location(settings, 'Users', row.id),
    },
  };
}

export function groupDisplayName(group: { readonly name: string; readonly displayName: string }): string {
  return group.displayName === '' ? group.name : group.displayName;
}

export function presentScimGroup(settings: Settings, row: ScimGroupRow, members: readonly ShownMember[]): ScimGroup {
  return {
    schemas: [SCIM_GROUP],
    id: row.id,
    ...(row.scimExternalId === null ? {} : { externalId: row.scimExternalId }),
    displayName: groupDisplayName(row),
    members: members.map(({ id, username }) => ({ value: id, display: username, type: 'User', $ref: location(settings, 'Users', id) })),
    meta: { resourceType: 'Group', created: row.createdAt.toISOString(), location: location(settings, 'Groups', row.id) },
  };
}
