import type { Acl, ObjectRef } from './authorize.ts';
import type { Verdict } from './compiled-role.ts';
import { verdict } from './compiled-role.ts';
import { compiledScope } from './scopes.ts';
import type { ResolvedSubject, Subject } from './subject.ts';

/** The parts of a decision, for `can`, which puts them together, and for `explain`, which says which of them decided. */

export function organizationVerdict(resolved: ResolvedSubject, permission: string, object: ObjectRef<string>): Verdict {
  if (object.anyOrganization === true) {
    for (const levels of resolved.organizations.values()) if (verdict(levels, permission) === 1) return 1;
    return 0;
  }
  if (!isSet(object.organizationId)) return 0;
  return verdict(resolved.organizations.get(object.organizationId) ?? [], permission);
}

export function isOwner(subject: Subject, object: ObjectRef<string>): boolean {
  return isSet(object.owner) && object.owner === subject.id;
}

/** Someone who left an organization has no hold on what they own there. */
export function organizationIsFine(subject: Subject, object: ObjectRef<string>): boolean {
  if (object.anyOrganization === true) return subject.organizations.size > 0;
  return !isSet(object.organizationId) || subject.organizations.has(object.organizationId);
}

export function isOrganizationMember(subject: Subject, object: ObjectRef<string>): boolean {
  if (object.anyOrganization === true) return subject.organizations.size > 0;
  return isSet(object.organizationId) && subject.organizations.has(object.organizationId);
}

export function aclAllows(subject: Subject, action: string, object: ObjectRef<string>): boolean {
  if (grants(object.userAcl, subject.id, action)) return true;
  const { groupAcl } = object;
  if (groupAcl === undefined || !isOrganizationMember(subject, object)) return false;
  // The everyone group of an organization has the organization's id.
  if (isSet(object.organizationId) && grants(groupAcl, object.organizationId, action)) return true;
  return subject.groups.some((group) => grants(groupAcl, group, action));
}

export function grants(acl: Acl | undefined, principal: string, action: string): boolean {
  if (acl === undefined || !Object.hasOwn(acl, principal)) return false;
  const actions = acl[principal];
  return actions !== undefined && (actions.includes(action) || actions.includes('*'));
}

export function scopeAllows(subject: Subject, permission: string, object: ObjectRef<string>): boolean {
  const scope = compiledScope(subject.scope);
  if (scope.permissions.get(permission) !== 1) return false;
  return scope.onlyIds === null || (isSet(object.id) && scope.onlyIds.has(object.id));
}

export function isSet(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}
