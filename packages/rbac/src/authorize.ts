import { aclAllows, isOwner, organizationIsFine, organizationVerdict, scopeAllows } from './decision.ts';
import { verdict } from './compiled-role.ts';
import type { ActionOf, Permission, ResourceType } from './resources.ts';
import { permissionParts } from './resources.ts';
import type { Subject } from './subject.ts';
import { resolveSubject } from './subject.ts';

/** Actions by principal id; `*` in the list means every action. */
export type Acl = Readonly<Record<string, readonly string[]>>;

/** What is acted on. Absent, null and the empty string mean the same for ids: there is none. */
export interface ObjectRef<T extends string = ResourceType> {
  readonly type: T;
  readonly id?: string | null;
  /** The user it belongs to. */
  readonly owner?: string | null;
  readonly organizationId?: string | null;
  /** Asks about some organization or other: "may the subject do this anywhere?". `organizationId` is then ignored. */
  readonly anyOrganization?: boolean;
  readonly userAcl?: Acl;
  readonly groupAcl?: Acl;
}

/**
 * Whether `subject` may do `action` to `object`: its roles or the object's ACL allow it, and so does the scope of its credential.
 * Pure, and a matter of a few lookups.
 */
export function can<T extends ResourceType>(subject: Subject, action: ActionOf<T>, object: ObjectRef<T>): boolean {
  return canUnchecked(subject, action, object);
}

/** `can` for a permission written as one word; the object's type is that of the permission. */
export function canDo(subject: Subject, permission: Permission, object: Omit<ObjectRef, 'type'>): boolean {
  const { type, action } = permissionParts(permission);
  return canUnchecked(subject, action, { ...object, type });
}

/** `can` for types and actions that came from outside. Pairs that do not exist are refused, except where an ACL grants `*`. */
export function canUnchecked(subject: Subject, action: string, object: ObjectRef<string>): boolean {
  const permission = `${object.type}:${action}`;
  return scopeAllows(subject, permission, object) && (roleAllows(subject, permission, object) || aclAllows(subject, action, object));
}

/** Whether the scope of the credential in use would allow it, whatever its owner may do: for access that is given from elsewhere. */
export function scopeCan<T extends ResourceType>(subject: Subject, action: ActionOf<T>, object: ObjectRef<T>): boolean {
  return scopeAllows(subject, `${object.type}:${action}`, object);
}

function roleAllows(subject: Subject, permission: string, object: ObjectRef<string>): boolean {
  const resolved = resolveSubject(subject);
  const site = verdict(resolved.site, permission);
  if (site !== 0) return site === 1;
  const organization = organizationVerdict(resolved, permission, object);
  if (organization !== 0) return organization === 1;
  return isOwner(subject, object) && organizationIsFine(subject, object) && verdict(resolved.user, permission) === 1;
}
