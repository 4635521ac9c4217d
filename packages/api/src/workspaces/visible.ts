import { Prisma } from '@berth/db';
import type { ListScope } from '@berth/rbac';
import type { Authorizer } from '../kernel/procedures.ts';
import { scopeSql } from '../kernel/scope-sql.ts';

/** The workspaces that a caller may read: dormant ones are of a type of their own. */
export interface WorkspaceScopes {
  readonly awake: ListScope;
  readonly dormant: ListScope;
}

export function workspaceScopes(authorize: Pick<Authorizer, 'scope'>): WorkspaceScopes {
  return { awake: authorize.scope('workspace:read'), dormant: authorize.scope('workspace_dormant:read') };
}

const COLUMNS = { id: Prisma.sql`w.id`, organization: Prisma.sql`w.organization_id`, owner: Prisma.sql`w.owner_id` };

/** The condition under which the caller may read the workspace `w`. */
export function visibleSql({ awake, dormant }: WorkspaceScopes): Prisma.Sql {
  // Most callers have the same reach over both types; then the planner may use one index.
  if (JSON.stringify(withoutAcl(awake)) === JSON.stringify(withoutAcl(dormant))) return scopeSql(awake, COLUMNS);
  return Prisma.sql`(CASE WHEN w.dormant_at IS NULL THEN ${scopeSql(awake, COLUMNS)} ELSE ${scopeSql(dormant, COLUMNS)} END)`;
}

/** Workspaces have no ACLs. */
function withoutAcl(scope: ListScope): ListScope {
  return { ...scope, acl: null };
}

/** Whether any workspace of this owner may be visible: a cheap look before asking the database. */
export function mayReachOwner({ awake, dormant }: WorkspaceScopes, ownerId: string): boolean {
  return [awake, dormant].some((scope) => scope.everything || scope.organizationIds.length > 0 || scope.ownerIn?.ownerId === ownerId);
}
