import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permission } from './resources.ts';
import { PERMISSIONS, permissionParts } from './resources.ts';
import { canDo } from './authorize.ts';
import { SCOPES, SCOPE_NAMES, limitedScope, scopeCovers } from './scopes.ts';
import type { Subject } from './subject.ts';

const owner = (scope: Subject['scope']): Subject => ({ id: 'u', roles: ['owner'], organizations: new Map(), groups: [], scope });
const permissions = fc.subarray([...PERMISSIONS]);
const anyScope = fc.oneof(
  permissions.map((list) => limitedScope(list)),
  fc.constantFrom(...SCOPE_NAMES.map((name) => SCOPES[name])),
);
const allows = (scope: Subject['scope'], permission: Permission): boolean => canDo(owner(scope), permission, { owner: 'u' });

describe('the scope of a credential', () => {
  it('takes away and never gives: what it allows, the same person may do without it', () => {
    fc.assert(
      fc.property(anyScope, fc.constantFrom(...PERMISSIONS), (scope, permission) => {
        if (allows(scope, permission)) expect(allows('all', permission)).toBe(true);
      }),
    );
  });

  it('that lists permissions allows those, and refuses every other, whatever else it lists', () => {
    fc.assert(
      fc.property(permissions, fc.constantFrom(...PERMISSIONS), (list, permission) => {
        expect(allows(limitedScope(list), permission)).toBe(list.includes(permission) && allows('all', permission));
      }),
    );
  });

  it('covers itself, is covered by all, and covers another only if it allows everything that the other does', () => {
    fc.assert(
      fc.property(anyScope, anyScope, (wide, narrow) => {
        const isWider = PERMISSIONS.every((permission) => !allows(narrow, permission) || allows(wide, permission));
        if (scopeCovers(wide, narrow)) expect(isWider).toBe(true);
        expect(scopeCovers(wide, wide)).toBe(true);
        expect(scopeCovers('all', narrow)).toBe(true);
      }),
    );
  });

  it('covers transitively, so that no chain of keys ends with more than it began with', () => {
    fc.assert(
      fc.property(anyScope, anyScope, anyScope, (a, b, c) => {
        if (scopeCovers(a, b) && scopeCovers(b, c)) expect(scopeCovers(a, c)).toBe(true);
      }),
    );
  });

  it('of a key for some objects does not cover one for all, nor one for others', () => {
    const one = { ...limitedScope(['workspace:read']), onlyIds: ['a'] };
    expect(scopeCovers(one, limitedScope(['workspace:read']))).toBe(false);
    expect(scopeCovers(one, { ...one, onlyIds: ['a', 'b'] })).toBe(false);
    expect(scopeCovers(limitedScope(['workspace:read']), one)).toBe(true);
  });

  it('of names that are no permissions allows nothing', () => {
    const scope = limitedScope(['*', 'workspace:*', 'workspace', 'all', '__proto__', 'workspace:fly']);
    for (const permission of PERMISSIONS) expect(allows(scope, permission)).toBe(false);
  });

  it('`read_only` changes nothing and opens nothing, `application_connect` opens apps alone', () => {
    for (const permission of PERMISSIONS) {
      const { action } = permissionParts(permission);
      if (allows('read_only', permission)) expect(['read', 'read_personal', 'view_insights']).toContain(action);
    }
    expect(PERMISSIONS.filter((permission) => allows('application_connect', permission))).toEqual(['workspace:application_connect']);
  });
});
