import { Prisma } from '@berth/db';
import type { Tx } from '@berth/db';
import type { ApiKeyScope } from '@berth/domain';
import type { PermissionRule, Role, Scope, ScopeName, Subject } from '@berth/rbac';
import { isResourceType, limitedScope } from '@berth/rbac';
import { z } from 'zod';

/** One line of a custom role as it is stored. Lines about types that no longer exist grant nothing. */
const StoredRule = z
  .object({ negate: z.boolean(), resource_type: z.string(), action: z.string() })
  .transform(({ negate, resource_type, action }): PermissionRule[] =>
    resource_type === '*' || isResourceType(resource_type) ? [{ negate, resourceType: resource_type, action }] : [],
  );
const StoredRules = z.array(StoredRule).transform((rules) => rules.flat());

const StoredRole = z.object({
  name: z.string(),
  display_name: z.string(),
  organization_id: z.string().nullable(),
  site: StoredRules,
  organization: StoredRules,
  user: StoredRules,
});

/** What a statement reads of a user (aliased `u`) to know what they may do. */
export const SUBJECT_COLUMNS = Prisma.sql`
  u.id::text AS user_id, u.username, u.status, u.site_roles,
  (SELECT coalesce(json_object_agg(m.organization_id, m.roles), '{}') FROM organization_members m WHERE m.user_id = u.id) AS organizations,
  ARRAY(SELECT g.group_id::text FROM group_members g WHERE g.user_id = u.id) AS groups,
  (SELECT coalesce(json_agg(json_build_object('name', r.name, 'display_name', r.display_name, 'organization_id', r.organization_id,
      'site', r.site_permissions, 'organization', r.organization_permissions, 'user', r.user_permissions)), '[]')
    FROM custom_roles r LEFT JOIN organization_members m ON m.user_id = u.id AND m.organization_id = r.organization_id
    WHERE CASE WHEN r.organization_id IS NULL THEN r.name = ANY (u.site_roles) ELSE r.name = ANY (m.roles) END) AS custom_roles`;

export const subjectRow = {
  user_id: z.string(),
  username: z.string(),
  site_roles: z.array(z.string()),
  organizations: z.record(z.string(), z.array(z.string())),
  groups: z.array(z.string()),
  custom_roles: z.array(StoredRole),
};
const SubjectRow = z.object(subjectRow);

/** The subject of a row read with `SUBJECT_COLUMNS`, limited by the scope of the credential in use. */
export function subjectOf(row: z.output<typeof SubjectRow>, scope: ScopeName | Scope): Subject {
  const customRoles = new Map<string, Role[]>();
  const customSiteRoles: Role[] = [];
  for (const { organization_id: organizationId, display_name: displayName, ...levels } of row.custom_roles) {
    const role: Role = { ...levels, displayName };
    if (organizationId === null) customSiteRoles.push(role);
    else customRoles.set(organizationId, [...(customRoles.get(organizationId) ?? []), role]);
  }
  return {
    id: row.user_id,
    roles: row.site_roles,
    organizations: new Map(Object.entries(row.organizations)),
    groups: row.groups,
    scope,
    customRoles,
    customSiteRoles,
  };
}

/** What a user may do by everything they were given, as the database has it now; null when the user is deleted or never was. */
export async function readSubject(db: Tx, userId: string): Promise<{ readonly subject: Subject; readonly username: string } | null> {
  const rows = await db.$queryRaw`SELECT ${SUBJECT_COLUMNS} FROM users u WHERE u.id = ${userId}::uuid AND NOT u.deleted`;
  const row = z.array(SubjectRow).parse(rows)[0];
  return row === undefined ? null : { subject: subjectOf(row, 'all'), username: row.username };
}

/** The custom roles of a place (an organization, or the site for null) that are among `names`. */
export async function readCustomRoles(
  db: Tx,
  { organizationId, names }: { readonly organizationId: string | null; readonly names: readonly string[] },
): Promise<Role[]> {
  const rows = await db.customRole.findMany({
    where: { organizationId, name: { in: [...names] } },
    select: { name: true, displayName: true, sitePermissions: true, organizationPermissions: true, userPermissions: true },
  });
  return rows.map(({ name, displayName, sitePermissions, organizationPermissions, userPermissions }) => ({
    name,
    displayName,
    site: StoredRules.parse(sitePermissions),
    organization: StoredRules.parse(organizationPermissions),
    user: StoredRules.parse(userPermissions),
  }));
}

/** The limit that a key's columns put on its owner's rights. */
export function scopeOfKey(scope: ApiKeyScope, permissions: readonly string[]): ScopeName | Scope {
  return scope === 'limited' ? limitedScope(permissions) : scope;
}
