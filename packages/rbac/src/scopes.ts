import type { CompiledLevel } from './compiled-role.ts';
import { compileRole } from './compiled-role.ts';
import type { Permission } from './resources.ts';
import { isPermission, PERMISSIONS, permissionParts } from './resources.ts';
import type { PermissionRule } from './roles.ts';

/** What an API key may be used for. It can only take away from what its owner may do. */
export interface Scope {
  readonly name: string;
  /** Permissions that the key carries. */
  readonly permissions: readonly PermissionRule[];
  /** Objects that the key may touch; null means every object. */
  readonly onlyIds: readonly string[] | null;
}

export const SCOPE_NAMES = ['all', 'application_connect', 'read_only'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

export const SCOPES: Readonly<Record<ScopeName, Scope>> = {
  all: { name: 'all', permissions: [{ negate: false, resourceType: '*', action: '*' }], onlyIds: null },
  application_connect: {
    name: 'application_connect',
    permissions: [{ negate: false, resourceType: 'workspace', action: 'application_connect' }],
    onlyIds: null,
  },
  read_only: { name: 'read_only', permissions: rules(PERMISSIONS.filter(isReading)), onlyIds: null },
};

/** Whether a permission changes nothing and opens nothing: what a read-only key may use. */
function isReading(permission: Permission): boolean {
  const { action } = permissionParts(permission);
  return action === 'read' || action === 'read_personal' || action === 'view_insights';
}

function rules(permissions: readonly Permission[]): PermissionRule[] {
  return permissions.map((permission) => {
    const { type, action } = permissionParts(permission);
    return { negate: false, resourceType: type, action };
  });
}

/** The scope of a key that may do what it lists and nothing else. Names that are no permissions grant nothing. */
export function limitedScope(permissions: readonly string[]): Scope {
  return { name: 'limited', permissions: rules(permissions.filter(isPermission)), onlyIds: null };
}

/** Whether everything that `narrow` allows, `wide` allows too: a key may make or pass on only what it holds itself. */
export function scopeCovers(wide: ScopeName | Scope, narrow: ScopeName | Scope): boolean {
  const [outer, inner] = [compiledScope(wide), compiledScope(narrow)];
  const { onlyIds } = outer;
  if (onlyIds !== null && (inner.onlyIds === null || ![...inner.onlyIds].every((id) => onlyIds.has(id)))) return false;
  return PERMISSIONS.every((permission) => inner.permissions.get(permission) !== 1 || outer.permissions.get(permission) === 1);
}

export interface CompiledScope {
  readonly permissions: CompiledLevel;
  readonly onlyIds: ReadonlySet<string> | null;
}

const compiled = new WeakMap<Scope, CompiledScope>();

/** The scope in its looked-up form, made once per scope object. */
export function compiledScope(scope: ScopeName | Scope): CompiledScope {
  const definition = typeof scope === 'string' ? SCOPES[scope] : scope;
  const known = compiled.get(definition);
  if (known !== undefined) return known;
  const made: CompiledScope = {
    permissions: compileRole({ name: definition.name, displayName: '', site: definition.permissions, organization: [], user: [] }).site,
    onlyIds: definition.onlyIds === null ? null : new Set(definition.onlyIds),
  };
  compiled.set(definition, made);
  return made;
}
