import type { Tx } from '@berth/db';
import type { IdpSyncFacts, IdpSyncSettings } from '@berth/domain';
import { ASSIGNABLE_ORGANIZATION_ROLES, ASSIGNABLE_SITE_ROLES } from '@berth/rbac';
import type { Settings } from '../kernel/context.ts';
import { isLastOwner } from '../users/index.ts';
import type { StoredIdpSync } from './settings.ts';
import { groupSyncOf, organizationSyncOf, roleSyncOf } from './settings.ts';

const mapValues = <A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): Map<string, B> =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

/** The stored settings and those of the provider, as the plan takes them. A provider that is not OpenID Connect has no role claim. */
export function planSettings(stored: StoredIdpSync, signOn: Settings['signOn'], providerId: string): IdpSyncSettings {
  const provider = signOn.providers.find(({ id }) => id === providerId);
  return {
    organization: organizationSyncOf(stored.organization),
    groups: mapValues(stored.groups, groupSyncOf),
    roles: mapValues(stored.roles, roleSyncOf),
    siteRoles:
      provider?.type === 'oidc'
        ? { field: provider.site_roles_claim, mapping: provider.site_roles_mapping, defaults: provider.site_roles_default }
        : { field: '', mapping: {}, defaults: [] },
  };
}

/** Everything that the plan must know, of `userId` or of somebody who is not there yet. */
export async function readFacts(
  db: Tx,
  { userId, isNew, settings }: { userId: string | null; isNew: boolean; settings: IdpSyncSettings },
): Promise<IdpSyncFacts> {
  const groupSynced = [...settings.groups].filter(([, { field }]) => field !== '').map(([id]) => id);
  const organizations = await db.organization.findMany({ select: { id: true, isDefault: true }, orderBy: { name: 'asc' } });
  const customRoles = await db.customRole.findMany({ select: { name: true, organizationId: true } });
  const groups = await db.group.findMany({
    where: { organizationId: { in: groupSynced } },
    select: { id: true, name: true, organizationId: true },
    orderBy: { name: 'asc' },
  });
  const groupsOf = new Map<string, { id: string; name: string }[]>();
  for (const { id, name, organizationId } of groups) {
    if (id === organizationId) continue;
    groupsOf.set(organizationId, [...(groupsOf.get(organizationId) ?? []), { id, name }]);
  }
  const customOf = (place: string | null): string[] => customRoles.filter((role) => role.organizationId === place).map(({ name }) => name);
  return {
    organizations: organizations.map(({ id, isDefault }) => ({
      id,
      isDefault,
      groups: groupsOf.get(id) ?? [],
      roles: [...ASSIGNABLE_ORGANIZATION_ROLES, ...customOf(id)],
    })),
    siteRoles: [...ASSIGNABLE_SITE_ROLES, ...customOf(null)],
    user: userId === null ? { ...NOBODY, isNew } : await readUserFacts(db, userId, isNew),
  };
}

const NOBODY: IdpSyncFacts['user'] = { isNew: true, organizations: new Map(), groupIds: new Set(), siteRoles: [], isLastOwner: false };

async function readUserFacts(db: Tx, userId: string, isNew: boolean): Promise<IdpSyncFacts['user']> {
  const user = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      siteRoles: true,
      memberships: { select: { organizationId: true, roles: true }, orderBy: { createdAt: 'asc' } },
      groupMemberships: { select: { groupId: true } },
    },
  });
  return {
    isNew,
    organizations: new Map(user.memberships.map(({ organizationId, roles }) => [organizationId, roles])),
    groupIds: new Set(user.groupMemberships.map(({ groupId }) => groupId)),
    siteRoles: user.siteRoles,
    isLastOwner: await isLastOwner(db, userId),
  };
}
