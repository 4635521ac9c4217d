import { canUnchecked } from './authorize.ts';
import type { ObjectRef } from './authorize.ts';
import type { Verdict } from './compiled-role.ts';
import { verdict } from './compiled-role.ts';
import { grants, isOrganizationMember, isOwner, isSet, organizationIsFine, organizationVerdict, scopeAllows } from './decision.ts';
import type { RolePlace } from './assignment.ts';
import type { Role } from './roles.ts';
import { ASSIGNABLE_ORGANIZATION_ROLES, ASSIGNABLE_SITE_ROLES, IMPLIED_ORGANIZATION_ROLE } from './roles.ts';
import type { HeldRole, Subject } from './subject.ts';
import { heldRoles, resolveSubject } from './subject.ts';

export type GrantKind =
  /** A role: of the site, of an organization, or defined by administrators. */
  | 'site_role'
  | 'organization_role'
  | 'custom_role'
  /** The object is the subject's own, and a role grants this over what one owns. */
  | 'ownership'
  /** The object's list of people names the subject, or its list of groups one of theirs. */
  | 'user_acl'
  | 'group_acl'
  | 'everyone_group';

export type RefusalKind =
  /** The credential in use does not carry it. */
  | 'scope'
  /** A role takes it away. */
  | 'negated'
  /** Not a member of the object's organization: roles held elsewhere, ownership and groups do not count there. */
  | 'not_a_member'
  /** Nothing that the subject has grants it. */
  | 'no_grant';

/** One thing that decided. */
export interface Reason {
  readonly kind: GrantKind | RefusalKind;
  /** The role that grants or takes away, and where the subject holds it. */
  readonly role: RolePlace | null;
  /** The organization in which a grant counts, or of which the subject is no member. */
  readonly organizationId: string | null;
  readonly groupId: string | null;
}

/** An answer with its reasons: when allowed, each thing that would be enough by itself; when refused, each thing that is in the way. */
export interface Explained {
  readonly allowed: boolean;
  readonly reasons: readonly Reason[];
}

/** `canUnchecked`, with the reasons. Never answers otherwise than it. */
export function explain(subject: Subject, action: string, object: ObjectRef<string>): Explained {
  const permission = `${object.type}:${action}`;
  const isInScope = scopeAllows(subject, permission, object);
  const granting = [...rolesThatGrant(subject, permission, object), ...listsThatGrant(subject, action, object)];
  if (isInScope && granting.length > 0) return { allowed: true, reasons: granting };
  return {
    allowed: false,
    reasons: [...(isInScope ? [] : [reason('scope')]), ...(granting.length > 0 ? [] : refusals(subject, permission, object))],
  };
}

/** The roles, built in or custom, of which any one more would let `subject` do it. None, when no role can help. */
export function rolesThatWouldGrant(
  subject: Subject,
  action: string,
  {
    object,
    custom = {},
  }: { object: ObjectRef<string>; custom?: { readonly site?: readonly Role[]; readonly organization?: readonly Role[] } },
): RolePlace[] {
  const { site = [], organization = [] } = custom;
  const names = (roles: readonly Role[]): string[] => roles.map((role) => role.name);
  const onSite = [...ASSIGNABLE_SITE_ROLES, ...names(site)].map((role) => ({ role, organizationId: null }));
  const { organizationId } = object;
  const here =
    !isSet(organizationId) || object.anyOrganization === true
      ? []
      : [IMPLIED_ORGANIZATION_ROLE, ...ASSIGNABLE_ORGANIZATION_ROLES, ...names(organization)].map((role) => ({ role, organizationId }));
  const defined: Subject = {
    ...subject,
    customSiteRoles: [...site, ...(subject.customSiteRoles ?? [])],
    customRoles: new Map([
      ...(subject.customRoles ?? []),
      ...(isSet(organizationId) ? [[organizationId, [...organization, ...(subject.customRoles?.get(organizationId) ?? [])]] as const] : []),
    ]),
  };
  return [...onSite, ...here].filter((place) => canUnchecked(withRole(defined, place), action, object));
}

function withRole(subject: Subject, { role, organizationId }: RolePlace): Subject {
  if (organizationId === null) return { ...subject, roles: [...subject.roles, role] };
  const held = subject.organizations.get(organizationId) ?? [];
  return { ...subject, organizations: new Map([...subject.organizations, [organizationId, [...held, role]]]) };
}

function rolesThatGrant(subject: Subject, permission: string, object: ObjectRef<string>): Reason[] {
  const resolved = resolveSubject(subject);
  const site = verdict(resolved.site, permission);
  if (site === -1) return [];
  const held = heldRoles(subject);
  const bySite = site === 1 ? saying(held, { level: 'site', permission, verdict: 1 }).map((role) => byRole(role)) : [];
  const inOrganizations = organizationsOf(subject, object)
    .filter((id) => verdict(resolved.organizations.get(id) ?? [], permission) === 1)
    .flatMap((organizationId) =>
      saying(held, { level: 'organization', permission, verdict: 1 })
        .filter((role) => role.organizationId === organizationId)
        .map((role) => byRole(role, organizationId)),
    );
  return [...bySite, ...inOrganizations, ...ownershipThatGrants(subject, permission, object)];
}

function ownershipThatGrants(subject: Subject, permission: string, object: ObjectRef<string>): Reason[] {
  const resolved = resolveSubject(subject);
  if (organizationVerdict(resolved, permission, object) === -1 || verdict(resolved.user, permission) !== 1) return [];
  if (!isOwner(subject, object) || !organizationIsFine(subject, object)) return [];
  const organizationId = object.anyOrganization === true || !isSet(object.organizationId) ? null : object.organizationId;
  return saying(heldRoles(subject), { level: 'user', permission, verdict: 1 }).map((role) =>
    reason('ownership', { role: placeOf(role), organizationId }),
  );
}

function listsThatGrant(subject: Subject, action: string, object: ObjectRef<string>): Reason[] {
  const { groupAcl, organizationId, userAcl } = object;
  const byUser = grants(userAcl, subject.id, action) ? [reason('user_acl')] : [];
  if (groupAcl === undefined || !isOrganizationMember(subject, object)) return byUser;
  const byEveryone =
    isSet(organizationId) && grants(groupAcl, organizationId, action)
      ? [reason('everyone_group', { organizationId, groupId: organizationId })]
      : [];
  const byGroups = [...new Set(subject.groups)]
    .filter((groupId) => grants(groupAcl, groupId, action))
    .map((groupId) => reason('group_acl', { organizationId: organizationId ?? null, groupId }));
  return [...byUser, ...byEveryone, ...byGroups];
}

function refusals(subject: Subject, permission: string, object: ObjectRef<string>): Reason[] {
  const negations = rolesThatTakeAway(subject, permission, object).map((role) =>
    reason('negated', { role: placeOf(role), organizationId: role.organizationId }),
  );
  return [
    ...negations,
    ...(isOutside(subject, object) ? [reason('not_a_member', { organizationId: idOf(object) })] : []),
    ...(negations.length === 0 ? [reason('no_grant')] : []),
  ];
}

/** The roles whose negation decides: at the first level that is denied. */
function rolesThatTakeAway(subject: Subject, permission: string, object: ObjectRef<string>): HeldRole[] {
  const resolved = resolveSubject(subject);
  const held = heldRoles(subject);
  if (verdict(resolved.site, permission) === -1) return saying(held, { level: 'site', permission, verdict: -1 });
  if (organizationVerdict(resolved, permission, object) === -1) {
    return saying(held, { level: 'organization', permission, verdict: -1 }).filter((role) => role.organizationId === object.organizationId);
  }
  return isOwner(subject, object) ? saying(held, { level: 'user', permission, verdict: -1 }) : [];
}

function isOutside(subject: Subject, object: ObjectRef<string>): boolean {
  if (object.anyOrganization === true) return subject.organizations.size === 0;
  return isSet(object.organizationId) && !subject.organizations.has(object.organizationId);
}

/** The organizations whose roles count for an object. */
function organizationsOf(subject: Subject, object: ObjectRef<string>): string[] {
  if (object.anyOrganization === true) return [...subject.organizations.keys()];
  return isSet(object.organizationId) ? [object.organizationId] : [];
}

function idOf(object: ObjectRef<string>): string | null {
  return object.anyOrganization === true ? null : (object.organizationId ?? null);
}

interface Said {
  readonly level: 'site' | 'organization' | 'user';
  readonly permission: string;
  readonly verdict: Verdict;
}

function saying(held: readonly HeldRole[], said: Said): HeldRole[] {
  return held.filter((role) => role.levels[said.level].get(said.permission) === said.verdict);
}

function byRole(role: HeldRole, organizationId: string | null = null): Reason {
  const builtIn = role.organizationId === null ? 'site_role' : 'organization_role';
  return reason(role.isCustom ? 'custom_role' : builtIn, { role: placeOf(role), organizationId });
}

function placeOf({ name, organizationId }: HeldRole): RolePlace {
  return { role: name, organizationId };
}

function reason(kind: Reason['kind'], about: Partial<Omit<Reason, 'kind'>> = {}): Reason {
  return { kind, role: null, organizationId: null, groupId: null, ...about };
}
