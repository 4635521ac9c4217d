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

function resolve(subject: Subject): ResolvedSubject {
  const all: CompiledRole[] = [];
  for (const name of new Set([IMPLIED_SITE_ROLE, ...subject.roles])) {
    const role = siteRole(subject, name);
    if (role !== undefined) all.push(role);
  }
  const organizations = new Map<string, readonly CompiledLevel[]>();
  for (const [organizationId, names] of subject.organizations) {
    const held = [...new Set([IMPLIED_ORGANIZATION_ROLE, ...names])]
      .map((name) => organizationRole(subject, organizationId, name))
      .filter((role) => role !== undefined);
    all.push(...held);
    organizations.set(organizationId, levels(held, 'organization'));
  }
  const distinct = [...new Set(all)];
  return { site: levels(distinct, 'site'), user: levels(distinct, 'user'), organizations };
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
