import { invalid, isUuid } from '@berth/core';
import { Prisma } from '@berth/db';
import type { AuditAction, AuditResourceType, AuditSearch, BuildReason } from '@berth/domain';
import { AUDIT_SEARCH, ME, parseSearch } from '@berth/domain';
import type { ListScope } from '@berth/rbac';
import { organizationObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import { findOrganization } from '../organizations/index.ts';
import { unseen } from './unseen-sql.ts';

/** The audit rows that a search means and the caller may read. Absent and null say nothing; an empty list matches no row. */
export interface AuditFilter {
  readonly resourceType?: AuditResourceType | undefined;
  readonly id?: string | undefined;
  readonly requestId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceTarget?: string | undefined;
  /** Rows about a thing of this name, and rows of these people. */
  readonly named?: { readonly target: string | null; readonly userIds: readonly string[] } | undefined;
  readonly action?: AuditAction | undefined;
  readonly buildReason?: BuildReason | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly before?: Date | undefined;
  readonly userIds: readonly string[] | null;
  readonly organizationIds: readonly string[] | null;
}

/** Reads a search as the caller may mean it, or null when it can match nothing. Refuses a search that breaks the language's rules. */
export async function readAuditFilter(call: UserCall, q: string | undefined): Promise<AuditFilter | null> {
  const scope = call.authorize.scope();
  const parsed = parseSearch(q ?? '', AUDIT_SEARCH);
  if (!parsed.ok) throw invalid('The search query is invalid.', parsed.problems);
  const { search } = parsed;
  const organizationIds = await organizationsOf(call, scope, search.organization);
  if (readsNoRows(scope) || organizationIds?.length === 0) return null;
  const userIds = await usersOf(call, search);
  if (userIds?.length === 0) return null;
  return {
    resourceType: search.resourceType,
    id: search.id,
    requestId: search.requestId,
    resourceId: search.resourceId,
    resourceTarget: search.resourceTarget,
    named: search.name === undefined ? undefined : { target: search.name, userIds: await usersNamed(call, search.name) },
    action: search.action,
    buildReason: search.buildReason,
    from: search.from,
    before: search.before,
    userIds,
    organizationIds,
  };
}

/** Rows belong to nobody and have no ACL, and no credential is bound to single rows: a scope reaches them by organization only. */
export function readsNoRows(scope: ListScope): boolean {
  return scope.onlyIds !== null || (!scope.everything && scope.organizationIds.length === 0);
}

/** The organizations whose rows count, or null for all rows. A name that the caller may not know is a mistake in the search. */
async function organizationsOf(call: UserCall, scope: ListScope, param: string | undefined): Promise<readonly string[] | null> {
  const allowed = scope.everything ? null : scope.organizationIds;
  if (param === undefined) return allowed;
  const organization = await findOrganization(call.db, param);
  const isKnown =
    organization !== null &&
    (allowed === null || allowed.includes(organization.id) || call.authorize.can('read', organizationObject(organization.id)));
  if (!isKnown) {
    if (isUuid(param)) return [];
    throw invalid('The search query is invalid.', [{ field: 'organization', detail: `There is no organization "${param}".` }]);
  }
  return allowed === null || allowed.includes(organization.id) ? [organization.id] : [];
}

/** The accounts meant by `username` and `email`, or null for any. A name belongs to one living account, an address may have had several. */
async function usersOf(call: UserCall, { username, email }: AuditSearch): Promise<readonly string[] | null> {
  if (username === undefined && email === undefined) return null;
  const isMe = username?.toLowerCase() === ME;
  if (isMe && email === undefined) return [call.principal.userId];
  const conditions: Prisma.Sql[] = [];
  if (isMe) conditions.push(Prisma.sql`id = ${call.principal.userId}::uuid`);
  else if (username !== undefined) conditions.push(Prisma.sql`lower(username) = lower(${username}) AND NOT deleted`);
  if (email !== undefined) conditions.push(Prisma.sql`lower(email) = lower(${email})`);
  const rows = await call.db.$queryRaw<{ id: string }[]>`SELECT id FROM users WHERE ${Prisma.join(conditions, ' AND ')} LIMIT 100`;
  return rows.map((row) => row.id);
}

/** The living account with this name, if there is one. */
async function usersNamed(call: UserCall, username: string): Promise<readonly string[]> {
  return (await usersOf(call, { username })) ?? [];
}

/**
 * The filters whose rows together are those of this one. A name may be that of a thing or of a person: each alone is answered from an
 * index in the list's order, both at once are not.
 */
export function alternativesOf(filter: AuditFilter): readonly [AuditFilter, ...AuditFilter[]] {
  const { named } = filter;
  if (named === undefined || named.userIds.length === 0) return [filter];
  return [
    { ...filter, named: { ...named, userIds: [] } },
    { ...filter, named: { ...named, target: null } },
  ];
}

function namedSql({ target, userIds }: NonNullable<AuditFilter['named']>): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  if (target !== null) conditions.push(Prisma.sql`a.resource_target = ${unseen(target, 'text')}`);
  if (userIds.length > 0) conditions.push(isOneOf(Prisma.sql`a.user_id`, userIds));
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;
}

/** The filter as conditions on `audit_logs a`. */
export function filterSql(filter: AuditFilter): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  const { id, requestId, resourceType, resourceId, resourceTarget, named, action, buildReason, from, before, userIds, organizationIds } =
    filter;
  if (resourceType !== undefined) conditions.push(Prisma.sql`a.resource_type = ${unseen(resourceType, 'text')}`);
  if (id !== undefined) conditions.push(Prisma.sql`a.id = ${unseen(id, 'uuid')}`);
  if (requestId !== undefined) conditions.push(Prisma.sql`a.request_id = ${unseen(requestId, 'uuid')}`);
  if (resourceId !== undefined) conditions.push(Prisma.sql`a.resource_id = ${unseen(resourceId, 'uuid')}`);
  if (resourceTarget !== undefined) conditions.push(Prisma.sql`a.resource_target = ${unseen(resourceTarget, 'text')}`);
  if (named !== undefined) conditions.push(namedSql(named));
  if (action !== undefined) conditions.push(Prisma.sql`a.action = ${unseen(action, 'text')}`);
  if (buildReason !== undefined) conditions.push(Prisma.sql`a.build_reason = ${unseen(buildReason, 'text')}`);
  if (from !== undefined) conditions.push(Prisma.sql`a.time >= ${unseen(from.toISOString(), 'timestamptz')}`);
  if (before !== undefined) conditions.push(Prisma.sql`a.time < ${unseen(before.toISOString(), 'timestamptz')}`);
  if (userIds !== null) conditions.push(isOneOf(Prisma.sql`a.user_id`, userIds));
  if (organizationIds !== null) conditions.push(isOneOf(Prisma.sql`a.organization_id`, organizationIds));
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, ' AND ');
}

/** A single id is compared by `=`, which keeps the order of an index that begins with the column. */
export function isOneOf(column: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  const [only, ...others] = ids;
  return only !== undefined && others.length === 0
    ? Prisma.sql`${column} = ${unseen(only, 'uuid')}`
    : Prisma.sql`${column} = ANY(${[...ids]}::uuid[])`;
}
