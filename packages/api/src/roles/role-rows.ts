import type { Prisma, Tx } from '@berth/db';
import { sameText } from '@berth/db';
import type { PermissionRule, Role as RoleDefinition } from '@berth/rbac';
import { z } from 'zod';
import { Permission } from './contract.ts';

const customRoleSelect = {
  id: true,
  organizationId: true,
  name: true,
  displayName: true,
  sitePermissions: true,
  organizationPermissions: true,
  userPermissions: true,
} as const satisfies Prisma.CustomRoleSelect;

/** A custom role as it is stored. Lines that no version of today knows are left out: they grant nothing. */
export interface CustomRole {
  readonly id: string;
  /** Null: of the site. */
  readonly organizationId: string | null;
  readonly name: string;
  readonly displayName: string;
  readonly site: readonly Permission[];
  readonly organization: readonly Permission[];
  readonly user: readonly Permission[];
}

/** The custom roles of a place, by name: of an organization, or of the site for null. */
export async function listCustomRoles(db: Tx, organizationId: string | null): Promise<CustomRole[]> {
  const rows = await db.customRole.findMany({ where: { organizationId }, select: customRoleSelect, orderBy: { name: 'asc' } });
  return rows.map(customRole);
}

/**
 * `listCustomRoles` for whoever gives them: none of them can be deleted or redefined until the transaction ends, so that nobody is left
 * with a role that is gone, or gets one that has just become another.
 */
export async function lockCustomRoles(db: Tx, organizationId: string | null): Promise<CustomRole[]> {
  await db.$queryRaw`SELECT 1 FROM custom_roles WHERE organization_id IS NOT DISTINCT FROM ${organizationId}::uuid ORDER BY id FOR SHARE`;
  return await listCustomRoles(db, organizationId);
}

/** What people read for each custom role of a place, by its name. */
export async function customRoleNames(db: Tx, organizationId: string | null): Promise<Map<string, string>> {
  const rows = await db.customRole.findMany({ where: { organizationId }, select: { name: true, displayName: true } });
  return new Map(rows.map((row) => [row.name, row.displayName === '' ? row.name : row.displayName]));
}

/** The custom role of this name, in any case, or null. */
export async function findCustomRole(
  db: Tx,
  { name, organizationId }: { name: string; organizationId: string | null },
): Promise<CustomRole | null> {
  const row = await db.customRole.findFirst({ where: { organizationId, name: sameText(name) }, select: customRoleSelect });
  return row === null ? null : customRole(row);
}

/** A custom role as the permission rules read it. */
export function roleDefinition(role: Pick<CustomRole, 'name' | 'displayName' | 'site' | 'organization' | 'user'>): RoleDefinition {
  return {
    name: role.name,
    displayName: role.displayName,
    site: role.site.map(ruleOf),
    organization: role.organization.map(ruleOf),
    user: role.user.map(ruleOf),
  };
}

function ruleOf({ negate, resource_type: resourceType, action }: Permission): PermissionRule {
  return { negate, resourceType, action };
}

function customRole(row: Prisma.CustomRoleGetPayload<{ select: typeof customRoleSelect }>): CustomRole {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    displayName: row.displayName,
    site: knownLines(row.sitePermissions),
    organization: knownLines(row.organizationPermissions),
    user: knownLines(row.userPermissions),
  };
}

function knownLines(json: unknown): Permission[] {
  return z
    .array(z.unknown())
    .parse(json)
    .flatMap((line) => {
      const parsed = Permission.safeParse(line);
      return parsed.success ? [parsed.data] : [];
    });
}
