import type { Tx } from '@berth/db';
import type { IdpSyncPlan } from '@berth/domain';
import { roleDisplayName } from '@berth/rbac';
import type { IdpSyncResult } from './contract.ts';

interface Names {
  readonly organizations: ReadonlyMap<string, { name: string; displayName: string; icon: string }>;
  readonly groups: ReadonlyMap<string, string>;
  /** Display names of custom roles, by organization (empty for the site) and name. */
  readonly roles: ReadonlyMap<string, string>;
}

/** The wire form of a plan, with the names of everything it refers to. */
export async function presentPlan(
  db: Tx,
  plan: IdpSyncPlan,
  { userId, provider, receivedAt }: { userId: string | null; provider: string; receivedAt: Date | null },
): Promise<IdpSyncResult> {
  const names = await readNames(db, plan);
  const roleName = (place: string, role: string): string => names.roles.get(`${place}/${role}`) ?? (roleDisplayName(role) || role);
  const organizationName = (id: string): string => names.organizations.get(id)?.name ?? '';
  return {
    user_id: userId,
    provider,
    claims_from: receivedAt?.toISOString() ?? null,
    organizations: {
      ...plan.organizations,
      items: plan.organizations.items.map(({ organizationId, change }) => {
        const row = names.organizations.get(organizationId);
        return { id: organizationId, name: row?.name ?? '', display_name: row?.displayName ?? '', icon: row?.icon ?? '', change };
      }),
    },
    groups: plan.groups.map(({ organizationId, items, ...part }) => ({
      organization_id: organizationId,
      organization_name: organizationName(organizationId),
      ...part,
      items: items.map(({ groupId, name, change }) => ({ id: groupId, name, change })),
    })),
    organization_roles: plan.organizationRoles.map(({ organizationId, items, ...part }) => ({
      organization_id: organizationId,
      organization_name: organizationName(organizationId),
      ...part,
      items: items.map(({ role, change }) => ({ name: role, display_name: roleName(organizationId, role), change })),
    })),
    site_roles: {
      ...plan.siteRoles,
      items: plan.siteRoles.items.map(({ role, change }) => ({ name: role, display_name: roleName('', role), change })),
    },
    trace: plan.trace.map(({ organizationId, ...line }) => ({
      ...line,
      organization_id: organizationId,
      target_name: targetName(names, line.kind, line.target) ?? roleName(organizationId ?? '', line.target),
    })),
  };
}

function targetName(names: Names, kind: IdpSyncPlan['trace'][number]['kind'], target: string): string | null {
  switch (kind) {
    case 'organization':
      return names.organizations.get(target)?.name ?? target;
    case 'group':
      return names.groups.get(target) ?? target;
    case 'organization_role':
    case 'site_role':
      return null;
  }
}

async function readNames(db: Tx, plan: IdpSyncPlan): Promise<Names> {
  const targets = (kind: string): string[] =>
    plan.trace.filter((line) => line.kind === kind && line.target !== '').map(({ target }) => target);
  const organizationIds = [
    ...plan.organizations.items.map(({ organizationId }) => organizationId),
    ...plan.groups.map(({ organizationId }) => organizationId),
    ...targets('organization'),
  ];
  const organizations = await db.organization.findMany({
    where: { id: { in: [...new Set(organizationIds)] } },
    select: { id: true, name: true, displayName: true, icon: true },
  });
  const roles = await db.customRole.findMany({ select: { organizationId: true, name: true, displayName: true } });
  return {
    organizations: new Map(organizations.map(({ id, ...row }) => [id, row])),
    groups: new Map(
      plan.groups.flatMap(({ items }) => items.flatMap(({ groupId, name }) => (groupId === null ? [] : [[groupId, name] as const]))),
    ),
    roles: new Map(roles.map((role) => [`${role.organizationId ?? ''}/${role.name}`, role.displayName || role.name])),
  };
}
