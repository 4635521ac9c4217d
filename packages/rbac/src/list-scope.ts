import type { Acl, ObjectRef } from './authorize.ts';
import { verdict } from './compiled-role.ts';
import type { Permission } from './resources.ts';
import { permissionParts } from './resources.ts';
import { compiledScope } from './scopes.ts';
import type { Subject } from './subject.ts';
import { resolveSubject } from './subject.ts';

/**
 * The rows of one resource type on which a subject has one permission, as data from which a WHERE is built. A row passes when
 * `onlyIds` is null or holds its id, AND at least one of these holds:
 * - `everything`;
 * - its organization is one of `organizationIds`;
 * - `ownerIn` is set, the row's owner is `ownerIn.ownerId`, and the row has no organization or one of `ownerIn.organizationIds`;
 * - `acl` is set, and the row's user ACL gives `acl.userId` one of `acl.actions`, or the row's organization is one of
 *   `acl.organizationIds` and its group ACL gives one of `acl.actions` to one of `acl.groupIds` or to the row's own organization
 *   id (the everyone group).
 *
 * Equal to `can`, row by row. Tables without ACL columns leave that part out.
 */
export interface ListScope {
  readonly everything: boolean;
  readonly organizationIds: readonly string[];
  readonly ownerIn: { readonly ownerId: string; readonly organizationIds: readonly string[] } | null;
  readonly acl: {
    readonly userId: string;
    /** The asked action and `*`. */
    readonly actions: readonly string[];
    /** Organizations the subject belongs to: group entries count only there. */
    readonly organizationIds: readonly string[];
    /** Groups the subject was put into, without the everyone groups. */
    readonly groupIds: readonly string[];
  } | null;
  readonly onlyIds: readonly string[] | null;
}

export const NO_ROWS: ListScope = { everything: false, organizationIds: [], ownerIn: null, acl: null, onlyIds: null };
export const ALL_ROWS: ListScope = { ...NO_ROWS, everything: true };

/** Describes the rows on which `subject` has `permission`. */
export function listScope(subject: Subject, permission: Permission): ListScope {
  const scope = compiledScope(subject.scope);
  if (scope.permissions.get(permission) !== 1) return NO_ROWS;
  const onlyIds = scope.onlyIds === null ? null : [...scope.onlyIds];

  const resolved = resolveSubject(subject);
  const site = verdict(resolved.site, permission);
  if (site === 1) return { ...ALL_ROWS, onlyIds };

  const memberOf = [...subject.organizations.keys()];
  const acl = {
    userId: subject.id,
    actions: [permissionParts(permission).action, '*'],
    organizationIds: memberOf,
    groupIds: [...subject.groups],
  };
  if (site === -1) return { ...NO_ROWS, acl, onlyIds };

  const organizationIds: string[] = [];
  const silent: string[] = [];
  for (const [organizationId, levels] of resolved.organizations) {
    const said = verdict(levels, permission);
    if (said === 1) organizationIds.push(organizationId);
    else if (said === 0) silent.push(organizationId);
  }
  const owns = subject.id !== '' && verdict(resolved.user, permission) === 1;
  return {
    everything: false,
    organizationIds,
    ownerIn: owns ? { ownerId: subject.id, organizationIds: silent } : null,
    acl,
    onlyIds,
  };
}

/** Whether no row at all can pass; ACLs are taken to exist only if `hasAcl`. */
export function isEmptyScope(scope: ListScope, { hasAcl }: { hasAcl: boolean }): boolean {
  if (scope.onlyIds?.length === 0) return true;
  return !scope.everything && scope.organizationIds.length === 0 && scope.ownerIn === null && (!hasAcl || scope.acl === null);
}

/** The meaning of a scope, in memory: what the SQL made from it must answer for the same row. */
export function scopeAllows(scope: ListScope, row: Omit<ObjectRef<string>, 'type' | 'anyOrganization'>): boolean {
  const { onlyIds } = scope;
  if (onlyIds !== null && !(isSet(row.id) && onlyIds.includes(row.id))) return false;
  if (scope.everything) return true;
  const { organizationId } = row;
  if (isSet(organizationId) && scope.organizationIds.includes(organizationId)) return true;
  return ownerPasses(scope, row) || aclPasses(scope, row);
}

function ownerPasses({ ownerIn }: ListScope, { owner, organizationId }: Omit<ObjectRef<string>, 'type'>): boolean {
  if (ownerIn === null || owner !== ownerIn.ownerId) return false;
  return !isSet(organizationId) || ownerIn.organizationIds.includes(organizationId);
}

function aclPasses({ acl }: ListScope, row: Omit<ObjectRef<string>, 'type'>): boolean {
  if (acl === null) return false;
  const granted = (entries: Acl | undefined, principal: string) =>
    entries !== undefined && Object.hasOwn(entries, principal) && (entries[principal] ?? []).some((action) => acl.actions.includes(action));
  if (granted(row.userAcl, acl.userId)) return true;
  const { organizationId } = row;
  if (!isSet(organizationId) || !acl.organizationIds.includes(organizationId)) return false;
  return [organizationId, ...acl.groupIds].some((principal) => granted(row.groupAcl, principal));
}

function isSet(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}
