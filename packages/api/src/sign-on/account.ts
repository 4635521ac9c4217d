import { randomInt } from 'node:crypto';
import { newId } from '@berth/core';
import { sameText } from '@berth/db';
import { normalizeRealName, usernameCandidates } from '@berth/domain';
import { lockUser } from '../auth/lock-user.ts';
import { insertUser, userSelect } from '../users/index.ts';
import type { UserRow } from '../users/index.ts';
import type { Principal } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import { convertAccount } from './convert-account.ts';
import { mirrorPerson } from './mirror-person.ts';
import { asciiLower } from './person.ts';
import type { Person } from './person.ts';
import { SignOnRefusal } from './refusal.ts';
import type { SignOnProvider } from './settings.ts';

export interface Account {
  readonly userId: string;
  /** The link that this sign-in came by; null: it has to be made. */
  readonly identityId: string | null;
  readonly isNew: boolean;
}

export interface Arrival {
  readonly provider: SignOnProvider;
  readonly person: Person;
  /** The account that is converted; empty: a plain sign-in. */
  readonly convertUserId: string;
}

export type AccountCall = Pick<Call, 'db' | 'services' | 'audit' | 'request'> & { readonly principal: Principal };

/** Resolution of the random source for names. */
const RANDOM_STEPS = 2 ** 32;

/**
 * The account of a person: the one that is linked by issuer and subject, the one that is being converted, one that was made for them and
 * was never linked, or a new one. Throws a `SignOnRefusal` when the rules keep them out. `call.db` must be a transaction.
 */
export async function accountOf(call: AccountCall, { provider, person, convertUserId }: Arrival): Promise<Account> {
  const { db } = call;
  // Two tabs of one new person must not make two accounts.
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${person.issuer} ${person.subject}`}, 0))`;
  const where = { issuer_subject: { issuer: person.issuer, subject: person.subject } };
  const linked = await db.userIdentity.findUnique({ where, select: { userId: true } });
  // The account may be suspended or deleted, and the link removed, while the person comes back from the provider.
  if (linked !== null) await lockUser(db, linked.userId);
  const identity = await db.userIdentity.findUnique({
    where,
    select: { id: true, userId: true, user: { select: { ...userSelect, deleted: true } } },
  });
  if (convertUserId !== '') {
    if (identity !== null && identity.userId !== convertUserId) throw new SignOnRefusal('identity_taken');
    await convertAccount(call, { provider, person, userId: convertUserId });
    return { userId: convertUserId, identityId: identity?.id ?? null, isNew: false };
  }
  if (identity !== null) {
    const { user } = identity;
    call.audit.set({ resourceId: user.id, target: '', actorId: user.id });
    if (user.deleted) throw new SignOnRefusal('account_deleted');
    await signInTo(call, user, person);
    return { userId: user.id, identityId: identity.id, isNew: false };
  }
  if (person.refusal !== null) throw new SignOnRefusal(person.refusal);
  const prepared = await preparedAccount(call, { provider, person });
  return prepared ?? signUp(call, { provider, person });
}

async function signInTo(call: AccountCall, user: UserRow, person: Person): Promise<void> {
  if (user.status === 'suspended') throw new SignOnRefusal('account_suspended');
  if (person.refusal !== null) throw new SignOnRefusal(person.refusal);
  if (user.loginType !== 'oidc' && user.loginType !== 'codehost') throw new SignOnRefusal('other_login_type');
  await mirrorPerson(call, user, person);
}

/**
 * An account with the person's e-mail address. Only one that was made for a provider of this kind and is linked to nobody may be claimed,
 * once, since the address is verified; everybody else's account is left alone and the sign-on refused. Null when there is none.
 */
async function preparedAccount(call: AccountCall, { provider, person }: Omit<Arrival, 'convertUserId'>): Promise<Account | null> {
  const { db } = call;
  const found = await db.user.findFirst({ where: { email: sameText(person.email), deleted: false }, select: { id: true } });
  if (found === null) return null;
  // Two people with the same address at two providers: one of them comes first.
  await lockUser(db, found.id);
  const user = await db.user.findFirst({ where: { id: found.id, deleted: false }, select: userSelect });
  if (user === null) throw new SignOnRefusal('account_deleted');
  const { issuer, subject } = person;
  call.audit.set({ resourceId: user.id, target: '', additionalFields: { provider_id: provider.id, issuer, subject } });
  const links = await db.userIdentity.count({ where: { userId: user.id } });
  if (user.loginType !== provider.type || links > 0 || !isSameAddress(user.email, person.email)) throw new SignOnRefusal('email_taken');
  call.audit.update({ actorId: user.id });
  await signInTo(call, user, person);
  return { userId: user.id, identityId: null, isNew: false };
}

/** Equal but for the case of ASCII letters: no folding that makes two different addresses one. */
function isSameAddress(a: string, b: string): boolean {
  return asciiLower(a) === asciiLower(b);
}

async function signUp(call: AccountCall, { provider, person }: Omit<Arrival, 'convertUserId'>): Promise<Account> {
  const { db, services } = call;
  if (!provider.allow_sign_ups) throw new SignOnRefusal('sign_ups_disabled');
  const first = await db.user.findFirst({ where: { deleted: false }, select: { id: true } });
  if (first === null) throw new SignOnRefusal('not_set_up');
  const organization = await db.organization.findFirst({ where: { isDefault: true }, select: { id: true } });
  const userId = newId();
  const user = await insertUser(db, services, {
    id: userId,
    email: person.email,
    username: await freeUsername(call, person.username),
    name: normalizeRealName(person.name),
    avatarUrl: person.avatarUrl,
    loginType: provider.type,
    status: 'active',
    passwordHash: null,
    organizationIds: organization === null ? [] : [organization.id],
  });
  call.audit.set({ resourceId: user.id, target: '', actorId: user.id });
  return { userId, identityId: null, isNew: true };
}

async function freeUsername({ db }: Pick<Call, 'db'>, text: string): Promise<string> {
  const candidates = usernameCandidates(text, () => randomInt(RANDOM_STEPS) / RANDOM_STEPS);
  for (const username of candidates) {
    const taken = await db.user.findFirst({ where: { username: sameText(username), deleted: false }, select: { id: true } });
    if (taken === null) return username;
  }
  throw new SignOnRefusal('username_taken');
}
