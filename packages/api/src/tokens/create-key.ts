import { conflict, invalid, invalidField } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { nameProblem } from '@berth/domain';
import { apiKeyObject, isPermission } from '@berth/rbac';
import type { z } from 'zod';
import { DEFAULT_TOKEN_LIFETIME_SECONDS, MAX_TOKEN_LIFETIME_SECONDS, SESSION_ABSOLUTE_SECONDS, createApiKey } from '../auth/sessions.ts';
import { freeName } from '../kernel/free-name.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireCover, resolveUser } from '../users/index.ts';
import type { CreateToken } from './contract.ts';
import type { StoredScope } from './mint.ts';
import { requireMayMint, storedScopeOf } from './mint.ts';

const NANOSECONDS = 1_000_000_000;
/** A name that the paths of tokens need themselves. */
const RESERVED_NAME = 'tokenconfig';

/**
 * Makes a session key of a week for the user, without setting a cookie; use extends it up to thirty days. It may do what the
 * credential in use may do.
 */
export async function createSessionKey(call: UserCall, input: { user: string }): Promise<{ key: string }> {
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: '' });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  await requireCover(call, user.id);
  const scope = storedScopeOf(call.principal.subject.scope);
  await requireMayMint(call, { ...scope, userId: user.id });
  const key = await createApiKey(call.db, call.services.clock, {
    userId: user.id,
    loginType: 'password',
    ...scope,
    lifetimeSeconds: DEFAULT_TOKEN_LIFETIME_SECONDS,
    absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
    ip: call.request.ip,
  });
  call.audit.update({ after: { user_id: user.id, expires_at: key.expiresAt, created_at: key.createdAt } });
  return { key: key.token };
}

/** Makes a named token; names are unique among a user's tokens. The key is in the answer and nowhere else. */
export async function createToken(call: UserCall, input: z.output<typeof CreateToken>): Promise<{ key: string }> {
  const user = await resolveUser(call, input.user);
  const tokenName = input.token_name ?? (await freeName((names) => tokensNamed(call, user.id, names)));
  call.audit.set({ resourceId: user.id, target: tokenName });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  await requireCover(call, user.id);
  const problem = tokenName.toLowerCase() === RESERVED_NAME ? 'is reserved' : nameProblem('token_name', tokenName);
  if (problem !== null) throw invalidField('token_name', problem);
  const scope = readScope(input);
  await requireMayMint(call, { ...scope, userId: user.id });
  try {
    const key = await createApiKey(call.db, call.services.clock, {
      userId: user.id,
      loginType: 'token',
      ...scope,
      tokenName,
      lifetimeSeconds: readLifetime(input.lifetime),
      ip: call.request.ip,
    });
    call.audit.update({ after: { user_id: user.id, expires_at: key.expiresAt, created_at: key.createdAt } });
    return { key: key.token };
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw conflict('A token with this name exists.', [{ field: 'name', detail: 'is already used by another of your tokens' }]);
    }
    throw error;
  }
}

async function tokensNamed({ db }: UserCall, userId: string, names: readonly string[]): Promise<string[]> {
  const tokens = await db.apiKey.findMany({ where: { userId, tokenName: { in: [...names] } }, select: { tokenName: true } });
  return tokens.map(({ tokenName }) => tokenName);
}

/** Seconds of a lifetime in nanoseconds. */
function readLifetime(nanoseconds: number | undefined): number {
  if (nanoseconds === undefined || nanoseconds === 0) return DEFAULT_TOKEN_LIFETIME_SECONDS;
  const seconds = Math.ceil(nanoseconds / NANOSECONDS);
  if (seconds > MAX_TOKEN_LIFETIME_SECONDS) {
    const limit = BigInt(MAX_TOKEN_LIFETIME_SECONDS) * BigInt(NANOSECONDS);
    throw invalidField('lifetime', `must be at most ${limit} nanoseconds (100 years)`);
  }
  return seconds;
}

/** The scope that was asked for; permissions belong to `limited` and to no other, and each must exist. */
function readScope({ scope, permissions }: z.output<typeof CreateToken>): StoredScope {
  if (scope !== 'limited') {
    if (permissions.length > 0) throw invalidField('permissions', 'belong to the scope `limited`');
    return { scope, permissions: [] };
  }
  if (permissions.length === 0) throw invalidField('permissions', 'must name at least one permission');
  const unknown = permissions.flatMap((name, index) =>
    isPermission(name) ? [] : [{ field: `permissions.${index}`, detail: `\`${name}\` is not a permission` }],
  );
  if (unknown.length > 0) throw invalid('Validation failed.', unknown);
  return { scope, permissions: [...new Set(permissions)].toSorted() };
}
