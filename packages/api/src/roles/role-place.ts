import type { Tx } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { CustomRole } from './role-rows.ts';

/** Where roles are given: in an organization, or, without one, on the site. */
export interface RolePlace {
  readonly organizationId: string | null;
}

/** The place that a path names; the caller must still authorise, with `requirePlace`. */
export async function findPlace(call: UserCall, { organization }: { organization?: string | undefined }): Promise<RolePlace> {
  return { organizationId: organization === undefined ? null : (await resolveOrganization(call, organization)).id };
}

/** Refuses a caller who may not do in this place what the procedure does. That the site has roles is no secret. */
export function requirePlace(call: UserCall, place: RolePlace): void {
  call.authorize.require(rolesObject(place), { sitewide: place.organizationId === null });
}

/** The roles of a place as something that one may read, give, take and define. */
export function rolesObject({ organizationId }: RolePlace): ObjectRef<'assign_role' | 'assign_org_role'> {
  return organizationId === null ? { type: 'assign_role' } : { type: 'assign_org_role', organizationId };
}

/** Who holds a custom role, by id. */
export async function holdersOf(db: Tx, { name, organizationId }: Pick<CustomRole, 'name' | 'organizationId'>): Promise<string[]> {
  const rows =
    organizationId === null
      ? await db.user.findMany({ where: { siteRoles: { has: name } }, select: { id: true } })
      : await db.organizationMember.findMany({ where: { organizationId, roles: { has: name } }, select: { userId: true } });
  return rows.map((row) => ('id' in row ? row.id : row.userId));
}

/** Takes a custom role from everyone who holds it. */
export async function takeFromAll(
  db: Tx,
  { name, organizationId, now }: Pick<CustomRole, 'name' | 'organizationId'> & { now: Date },
): Promise<void> {
  await (organizationId === null
    ? db.$executeRaw`UPDATE users SET site_roles = array_remove(site_roles, ${name}), updated_at = ${now} WHERE ${name} = ANY (site_roles)`
    : db.$executeRaw`UPDATE organization_members SET roles = array_remove(roles, ${name}), updated_at = ${now}
        WHERE organization_id = ${organizationId}::uuid AND ${name} = ANY (roles)`);
}
