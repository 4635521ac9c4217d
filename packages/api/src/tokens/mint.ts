import { forbidden, unauthenticated } from '@berth/core';
import type { ApiKeyScope } from '@berth/domain';
import type { Scope, ScopeName } from '@berth/rbac';
import { scopeCovers } from '@berth/rbac';
import { holdAccounts } from '../auth/lock-user.ts';
import { scopeOfKey } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';

/** How a scope stands in the columns of a key. */
export interface StoredScope {
  readonly scope: ApiKeyScope;
  readonly permissions: readonly string[];
}

/** The scope of the credential in use, as a key made from it stores it. */
export function storedScopeOf(scope: ScopeName | Scope): StoredScope {
  if (typeof scope === 'string') return { scope, permissions: [] };
  return { scope: 'limited', permissions: scope.permissions.map((rule) => `${rule.resourceType}:${rule.action}`) };
}

/**
 * Every way to a new credential passes here: nobody makes one that may do more than the one in use. What an OAuth2 application holds
 * makes none at all, since revoking the application must end everything that came of it. A credential that was revoked meanwhile makes
 * none either: the account is held as it is from here on.
 */
export async function requireMayMint(
  call: Pick<UserCall, 'db' | 'principal'>,
  { userId, ...wanted }: StoredScope & { readonly userId: string },
): Promise<void> {
  if (!scopeCovers(call.principal.subject.scope, scopeOfKey(wanted.scope, wanted.permissions))) {
    throw forbidden('The credential that you use may do less than the one that you ask for.');
  }
  await holdAccounts(call.db, [userId, call.principal.userId]);
  const { keyId } = call.principal;
  if (keyId === '') return;
  const key = await call.db.apiKey.findUnique({ where: { id: keyId }, select: { loginType: true } });
  if (key === null) throw unauthenticated();
  if (key.loginType === 'oauth2_provider_app') throw forbidden('An application’s access cannot make credentials.');
}
