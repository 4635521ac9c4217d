import { notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { containing, sameText } from '@berth/db';
import { apiKeyObject } from '@berth/rbac';
import type { z } from 'zod';
import { MAX_TOKEN_LIFETIME_SECONDS } from '../auth/sessions.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveUser } from '../users/index.ts';
import type { ApiKey, KeyPath, ListTokens, Session, TokenConfig, TokenNamePath } from './contract.ts';
import { apiKeySelect, presentApiKey, presentSession, sessionSelect } from './presenter.ts';

const NANOSECONDS = 1_000_000_000;
const DAY_MS = 86_400_000;
/** A bound for one page; a person with more tokens than this has another problem. */
const MAX_LISTED = 1000;

/** The named tokens of a user, newest first; with `include_all` every token that the caller may read. The newest thousand at most. */
export async function listTokens(call: UserCall, input: z.output<typeof ListTokens>): Promise<z.output<typeof ApiKey>[]> {
  const user = await resolveUser(call, input.user);
  const rows = await call.db.apiKey.findMany({
    where: {
      AND: [
        readable(call),
        { loginType: 'token' },
        input.include_all ? { user: { deleted: false } } : { userId: user.id },
        ...(input.q === undefined || input.q.trim() === '' ? [] : [named(input.q.trim())]),
        ...(input.unused_days === undefined
          ? []
          : [unusedSince(new Date(call.services.clock.now().getTime() - input.unused_days * DAY_MS))]),
      ],
    },
    select: apiKeySelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  });
  return rows.map(presentApiKey);
}

/**
 * Everything that now acts as the user: sessions, tokens, access of applications; the last used first. Ended ones are left out, and so are
 * keys for the hosts of apps, which are part of the session that they came from.
 */
export async function listSessions(call: UserCall, input: { user: string }): Promise<z.output<typeof Session>[]> {
  const user = await resolveUser(call, input.user);
  const rows = await call.db.apiKey.findMany({
    where: { AND: [readable(call), { userId: user.id, parentId: null, expiresAt: { gt: call.services.clock.now() } }] },
    select: sessionSelect,
    orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  });
  return rows.map((row) => presentSession(row, call.principal.keyId));
}

export async function getKey(call: UserCall, input: z.output<typeof KeyPath>): Promise<z.output<typeof ApiKey>> {
  return await readKey(call, input.user, { id: input.keyid });
}

/** Names are compared without regard to case; only named tokens have one. */
export async function getTokenByName(call: UserCall, input: z.output<typeof TokenNamePath>): Promise<z.output<typeof ApiKey>> {
  return await readKey(call, input.user, { loginType: 'token', tokenName: sameText(input.keyname) });
}

async function readKey(call: UserCall, user: string, where: Prisma.ApiKeyWhereInput): Promise<z.output<typeof ApiKey>> {
  const { id: userId } = await resolveUser(call, user);
  call.authorize.require(apiKeyObject({ userId }));
  // Two names may differ in case only, and then the older one has it.
  const row = await call.db.apiKey.findFirst({ where: { AND: [where, { userId }] }, select: apiKeySelect, orderBy: { createdAt: 'asc' } });
  if (row === null) throw notFound();
  return presentApiKey(row);
}

/** How long a token may live. */
export async function tokenConfig(call: UserCall, input: { user: string }): Promise<z.output<typeof TokenConfig>> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(apiKeyObject({ userId: user.id }));
  return { max_token_lifetime: MAX_TOKEN_LIFETIME_SECONDS * NANOSECONDS };
}

function named(part: string): Prisma.ApiKeyWhereInput {
  return { OR: [{ tokenName: containing(part) }, { user: { OR: [{ username: containing(part) }, { name: containing(part) }] } }] };
}

/** A token that was never used counts from when it was made: who makes one today is not asked about it tomorrow. */
function unusedSince(date: Date): Prisma.ApiKeyWhereInput {
  return { createdAt: { lt: date }, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: date } }] };
}

/** The keys that the caller may read. */
function readable(call: UserCall): Prisma.ApiKeyWhereInput {
  const { everything, ownerIn } = call.authorize.scope();
  if (everything) return {};
  return ownerIn === null ? { id: { in: [] } } : { userId: ownerIn.ownerId };
}
