import { randomInt } from 'node:crypto';
import { conflict, invalidField, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import type { Prisma } from '@berth/db';
import { nameProblem, randomName } from '@berth/domain';
import { apiKeyObject } from '@berth/rbac';
import type { z } from 'zod';
import { DEFAULT_TOKEN_LIFETIME_SECONDS, MAX_TOKEN_LIFETIME_SECONDS, createApiKey } from '../auth/sessions.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { resolveUser } from '../users/index.ts';
import type { ApiKey, CreateToken, KeyPath, ListTokens } from './contract.ts';
import { apiKeySelect, presentApiKey } from './presenter.ts';

const NANOSECONDS = 1_000_000_000;
/** Resolution of the random source for names. */
const RANDOM_STEPS = 2 ** 32;
/** A bound for one page; a person with more tokens than this has another problem. */
const MAX_LISTED = 1000;

/** Makes a session key of a week for the user, without setting a cookie. */
export async function createSessionKey(call: UserCall, input: { user: string }): Promise<{ key: string }> {
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: '' });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  const key = await createApiKey(call.db, call.services.clock, {
    userId: user.id,
    loginType: 'password',
    lifetimeSeconds: DEFAULT_TOKEN_LIFETIME_SECONDS,
    ip: call.request.ip,
  });
  call.audit.update({ after: { user_id: user.id, expires_at: key.expiresAt, created_at: key.createdAt } });
  return { key: key.token };
}

/** Makes a named token; names are unique among a user's tokens. The key is in the answer and nowhere else. */
export async function createToken(call: UserCall, input: z.output<typeof CreateToken>): Promise<{ key: string }> {
  const user = await resolveUser(call, input.user);
  const tokenName = input.token_name ?? randomName(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS);
  call.audit.set({ resourceId: user.id, target: tokenName });
  call.authorize.require(apiKeyObject({ userId: user.id }));
  const problem = nameProblem('token_name', tokenName);
  if (problem !== null) throw invalidField('token_name', problem);
  const lifetimeSeconds =
    input.lifetime === undefined || input.lifetime === 0 ? DEFAULT_TOKEN_LIFETIME_SECONDS : Math.ceil(input.lifetime / NANOSECONDS);
  if (lifetimeSeconds > MAX_TOKEN_LIFETIME_SECONDS) {
    throw invalidField('lifetime', `must be at most ${MAX_TOKEN_LIFETIME_SECONDS} seconds, in nanoseconds`);
  }
  try {
    const key = await createApiKey(call.db, call.services.clock, {
      userId: user.id,
      loginType: 'token',
      scope: input.scope,
      tokenName,
      lifetimeSeconds,
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

/** The named tokens of a user, newest first; with `include_all` every token that the caller may read. */
export async function listTokens(call: UserCall, input: z.output<typeof ListTokens>): Promise<z.output<typeof ApiKey>[]> {
  const user = await resolveUser(call, input.user);
  const scope = call.authorize.scope();
  const readable: Prisma.ApiKeyWhereInput = scope.everything
    ? {}
    : { AND: [{ userId: scope.ownerIn?.ownerId ?? call.principal.userId }, ...(scope.ownerIn === null ? [{ id: { in: [] } }] : [])] };
  const rows = await call.db.apiKey.findMany({
    where: { AND: [readable, { loginType: 'token' }, input.include_all ? { user: { deleted: false } } : { userId: user.id }] },
    select: apiKeySelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  });
  return rows.map(presentApiKey);
}

/** Revokes a session or token at once, on every door and replica. */
export async function deleteKey(call: UserCall, input: z.output<typeof KeyPath>): Promise<void> {
  const user = await resolveUser(call, input.user);
  const key = await call.db.apiKey.findFirst({
    where: { id: input.keyid, userId: user.id },
    select: { id: true, tokenName: true, userId: true, expiresAt: true, createdAt: true, lastUsedAt: true },
  });
  if (key === null) {
    if (call.authorize.can('read', apiKeyObject({ userId: user.id }))) call.authorize.require(apiKeyObject({ userId: user.id }));
    throw notFound();
  }
  call.audit.set({ resourceId: user.id, target: key.tokenName });
  call.authorize.require(apiKeyObject({ id: key.id, userId: user.id }));
  await call.db.apiKey.delete({ where: { id: key.id }, select: { id: true } });
  await announceRights(call, user.id);
  call.audit.update({ before: { user_id: user.id, last_used: key.lastUsedAt, expires_at: key.expiresAt, created_at: key.createdAt } });
}
