import type { Permission, ResourceType } from './resources.ts';
import { isPermission, RESOURCE_ACTIONS, RESOURCE_TYPES } from './resources.ts';
import type { PermissionRule, Role } from './roles.ts';
import { ORGANIZATION_ROLES, OWNER_WITHOUT_WORKSPACE_ENTRY, SITE_ROLES } from './roles.ts';

/** A level's answer: denied by a negated permission, silent, or granted. */
export type Verdict = -1 | 0 | 1;

/** One level of a role, looked up by permission. Permissions that are not in the map get no answer (0). */
export type CompiledLevel = ReadonlyMap<string, Verdict>;

/** A role with its wildcards expanded, so that a decision is a few map lookups. */
export interface CompiledRole {
  readonly name: string;
  readonly site: CompiledLevel;
  readonly organization: CompiledLevel;
  readonly user: CompiledLevel;
}

/** Prepares a role for decisions. Rules about types or actions that do not exist are dropped: they can match nothing. */
export function compileRole(role: Role): CompiledRole {
  return {
    name: role.name,
    site: compileLevel(role.site),
    organization: compileLevel(role.organization),
    user: compileLevel(role.user),
  };
}

function compileLevel(rules: readonly PermissionRule[]): CompiledLevel {
  const level = new Map<string, Verdict>();
  for (const rule of rules) {
    for (const permission of matching(rule)) {
      if (rule.negate) level.set(permission, -1);
      else if (!level.has(permission)) level.set(permission, 1);
    }
  }
  return level;
}

function matching(rule: PermissionRule): Permission[] {
  const types: readonly ResourceType[] = rule.resourceType === '*' ? RESOURCE_TYPES : [rule.resourceType];
  return types.flatMap((type) => {
    const actions: readonly string[] = rule.action === '*' ? RESOURCE_ACTIONS[type] : [rule.action];
    return actions.map((action) => `${type}:${action}`).filter(isPermission);
  });
}

/** What several roles say together: one negation beats every grant. */
export function verdict(levels: Iterable<CompiledLevel>, permission: string): Verdict {
  let answer: Verdict = 0;
  for (const level of levels) {
    const said = level.get(permission);
    if (said === -1) return -1;
    if (said === 1) answer = 1;
  }
  return answer;
}

const compileAll = (roles: Readonly<Record<string, Role>>): ReadonlyMap<string, CompiledRole> =>
  new Map(Object.values(roles).map((role) => [role.name, compileRole(role)]));

export const COMPILED_SITE_ROLES = compileAll(SITE_ROLES);
export const COMPILED_ORGANIZATION_ROLES = compileAll(ORGANIZATION_ROLES);
export const COMPILED_OWNER_WITHOUT_WORKSPACE_ENTRY = compileRole(OWNER_WITHOUT_WORKSPACE_ENTRY);
