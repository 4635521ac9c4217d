import type { CompiledLevel, CompiledRole } from './compiled-role.ts';
import { COMPILED_ORGANIZATION_ROLES, COMPILED_OWNER_WITHOUT_WORKSPACE_ENTRY, COMPILED_SITE_ROLES, compileRole } from './compiled-role.ts';
import type { Role } from './roles.ts';
import { IMPLIED_ORGANIZATION_ROLE, IMPLIED_SITE_ROLE } from './roles.ts';
import type { Scope, ScopeName } from './scopes.ts';

/** Who asks. Treated as immutable: make a new one when roles, groups or memberships change. */
export interface Subject {
  readonly id: string;
  /** Site roles that were given; the implied `member` may be left out. */
  readonly roles: readonly string[];
  /** Every organization the subject belongs to, with the roles held there; the implied `organization-member` may be left out. */
  readonly organizations: ReadonlyMap<string, readonly string[]>;
  /** Ids of the groups the subject was put into. The everyone groups follow from `organizations` and need not be listed. */
  readonly groups: readonly string[];
  /** What the credential in use may do at most. */
  readonly scope: ScopeName | Scope;
  /** Definitions of the custom roles that `organizations` names, per organization. A name without a definition grants nothing. */
  readonly customRoles?: ReadonlyMap<string, readonly Role[]>;
  /** Definitions of the custom roles that `roles` names. A name without a definition grants nothing. */
  readonly customSiteRoles?: readonly Role[];
  /** True where the deployment forbids site owners to enter other people's workspaces. */
  readonly ownersMayNotEnterWorkspaces?: boolean;
}

/** A subject with its role names turned into lookups. */
export interface ResolvedSubject {
  readonly site: readonly CompiledLevel[];
  readonly user: readonly CompiledLevel[];
  /** One entry per organization the subject belongs to. */
  readonly organizations: ReadonlyMap<string, readonly CompiledLevel[]>;
}

const resolved = new WeakMap<Subject, ResolvedSubject>();

/** The roles behind a subject's names, found once per subject object. Unknown names grant nothing. */
export function resolveSubject(subject: Subject): ResolvedSubject {
  const known = resolved.get(subject);
  if (known !== undefined) return known;
  const made = resolve(subject);
  resolved.set(subject, made);
  return made;
}

/** A role that a subject holds, and where: on the site for null. */
export interface HeldRole {
  readonly name: string;
  readonly organizationId: string | null;
  readonly isCustom: boolean;
  readonly levels: CompiledRole;
}

/** Every role that a subject holds, the implied ones included. Names that nothing defines are left out. */
export function heldRoles(subject: Subject): HeldRole[] {
  const held: HeldRole[] = [];
  for (const name of new Set([IMPLIED_SITE_ROLE, ...subject.roles])) {
    const levels = siteRole(subject, name);
    if (levels !== undefined) held.push({ name, organizationId: null, isCustom: !COMPILED_SITE_ROLES.has(name), levels });
  }
  for (const [organizationId, names] of subject.organizations) {
    for (const name of new Set([IMPLIED_ORGANIZATION_ROLE, ...names])) {
      const levels = organizationRole(subject, organizationId, name);
      if (levels !== undefined) held.push({ name, organizationId, isCustom: !COMPILED_ORGANIZATION_ROLES.has(name), levels });
    }
  }
  return held;
}

function resolve(subject: Subject): ResolvedSubject {
  const held = heldRoles(subject);
  const inOrganizations = new Map<string, CompiledRole[]>([...subject.organizations.keys()].map((id) => [id, []]));
  for (const role of held) if (role.organizationId !== null) inOrganizations.get(role.organizationId)?.push(role.levels);
  const distinct = [...new Set(held.map((role) => role.levels))];
  return {
    site: levels(distinct, 'site'),
    user: levels(distinct, 'user'),
    organizations: new Map([...inOrganizations].map(([id, roles]) => [id, levels(roles, 'organization')])),
  };
}

function levels(roles: readonly CompiledRole[], level: 'site' | 'organization' | 'user'): CompiledLevel[] {
  return roles.map((role) => role[level]).filter((permissions) => permissions.size > 0);
}

function siteRole(subject: Subject, name: string): CompiledRole | undefined {
  if (name === 'owner' && subject.ownersMayNotEnterWorkspaces === true) return COMPILED_OWNER_WITHOUT_WORKSPACE_ENTRY;
  const builtIn = COMPILED_SITE_ROLES.get(name);
  if (builtIn !== undefined) return builtIn;
  const custom = subject.customSiteRoles?.find((role) => role.name === name);
  return custom === undefined ? undefined : compileRole(custom);
}

function organizationRole(subject: Subject, organizationId: string, name: string): CompiledRole | undefined {
  const builtIn = COMPILED_ORGANIZATION_ROLES.get(name);
  if (builtIn !== undefined) return builtIn;
  const custom = subject.customRoles?.get(organizationId)?.find((role) => role.name === name);
  return custom === undefined ? undefined : compileRole(custom);
}
