import type { CompiledLevel } from './compiled-role.ts';
import { compileRole } from './compiled-role.ts';
import type { PermissionRule } from './roles.ts';

/** What an API key may be used for. It can only take away from what its owner may do. */
export interface Scope {
  readonly name: string;
  /** Permissions that the key carries. */
  readonly permissions: readonly PermissionRule[];
  /** Objects that the key may touch; null means every object. */
  readonly onlyIds: readonly string[] | null;
}

export const SCOPE_NAMES = ['all', 'application_connect'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

export const SCOPES: Readonly<Record<ScopeName, Scope>> = {
  all: { name: 'all', permissions: [{ negate: false, resourceType: '*', action: '*' }], onlyIds: null },
  application_connect: {
    name: 'application_connect',
    permissions: [{ negate: false, resourceType: 'workspace', action: 'application_connect' }],
    onlyIds: null,
  },
};

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
