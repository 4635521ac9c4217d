import { Prisma } from '@berth/db';
import type { ListScope } from '@berth/rbac';

/** The columns of a row that a scope may ask about, as SQL. Leave out what the table does not have. */
export interface ScopeColumns {
  /** `uuid`. */
  readonly id: Prisma.Sql;
  /** `uuid`, may be null. */
  readonly organization?: Prisma.Sql;
  /** `uuid`. */
  readonly owner?: Prisma.Sql;
  /** `jsonb`: `{user id: actions[]}`. */
  readonly userAcl?: Prisma.Sql;
  /** `jsonb`: `{group id: actions[]}`. */
  readonly groupAcl?: Prisma.Sql;
}

const TRUE = Prisma.sql`TRUE`;
const FALSE = Prisma.sql`FALSE`;

/** The condition under which a row passes `scope`: `scopeAllows` of `@berth/rbac`, said in SQL. Never null. */
export function scopeSql(scope: ListScope, columns: ScopeColumns): Prisma.Sql {
  const ids = scope.onlyIds === null ? null : Prisma.sql`${columns.id} = ANY(${[...scope.onlyIds]}::uuid[])`;
  const allowed = scope.everything
    ? TRUE
    : anyOf([organizationPasses(scope, columns), ownerPasses(scope, columns), ...aclPasses(scope, columns)]);
  return ids === null ? allowed : Prisma.sql`(${ids} AND ${allowed})`;
}

function organizationPasses({ organizationIds }: ListScope, { organization }: ScopeColumns): Prisma.Sql | null {
  if (organization === undefined || organizationIds.length === 0) return null;
  return isIn(organization, organizationIds);
}

function ownerPasses({ ownerIn }: ListScope, { organization, owner }: ScopeColumns): Prisma.Sql | null {
  if (ownerIn === null || owner === undefined) return null;
  const isOwner = Prisma.sql`${owner} = ${ownerIn.ownerId}::uuid`;
  if (organization === undefined) return isOwner;
  return Prisma.sql`(${isOwner} AND (${organization} IS NULL OR ${isIn(organization, ownerIn.organizationIds)}))`;
}

function aclPasses({ acl }: ListScope, { organization, userAcl, groupAcl }: ScopeColumns): (Prisma.Sql | null)[] {
  if (acl === null) return [];
  const actions = Prisma.sql`${[...acl.actions]}::text[]`;
  const byUser =
    userAcl === undefined ? null : Prisma.sql`COALESCE(jsonb_exists_any(${userAcl} -> ${acl.userId}::text, ${actions}), FALSE)`;
  if (groupAcl === undefined || organization === undefined || acl.organizationIds.length === 0) return [byUser];
  const byGroup = Prisma.sql`(${isIn(organization, acl.organizationIds)} AND EXISTS (
    SELECT 1 FROM jsonb_each(${groupAcl}) AS granted
    WHERE (granted.key = ${organization}::text OR granted.key = ANY(${[...acl.groupIds]}::text[]))
      AND jsonb_exists_any(granted.value, ${actions})))`;
  return [byUser, byGroup];
}

/** False, not null, for a column that is null. */
function isIn(column: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`COALESCE(${column} = ANY(${[...ids]}::uuid[]), FALSE)`;
}

function anyOf(conditions: readonly (Prisma.Sql | null)[]): Prisma.Sql {
  const known = conditions.filter((condition) => condition !== null);
  return known.length === 0 ? FALSE : Prisma.sql`(${Prisma.join(known, ' OR ')})`;
}
