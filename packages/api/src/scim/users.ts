import { randomInt } from 'node:crypto';
import { isUuid, newId, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { isUniqueViolation, sameText } from '@berth/db';
import type { UserStatus } from '@berth/domain';
import { usernameCandidates } from '@berth/domain';
import type { z } from 'zod';
import { lockUser } from '../auth/lock-user.ts';
import { readOrganizationSync } from '../idp-sync/index.ts';
import type { Call } from '../kernel/procedures.ts';
import type { User } from '../users/contract.ts';
import { auditedUser, insertUser, presentUser, setUserStatus } from '../users/index.ts';
import { changesOfObject, changesOfPatch, isPatch } from './attributes.ts';
import type { ChangeScim, CreateScim, ListScim, ScimPath, ScimUser, ScimUserPage } from './contract.ts';
import { SCIM_LIST } from './contract.ts';
import { userFilter } from './filter-sql.ts';
import type { ScimUserRow } from './present.ts';
import { presentScimUser, scimUserSelect } from './present.ts';
import { ScimRefusal } from './refusals.ts';
import type { UserChange } from './user-changes.ts';
import { activeOnly, changedName, newEmail, userChange } from './user-changes.ts';

export const AUTOMATIC = { automatic_actor: 'Berth', automatic_subsystem: 'scim' } as const;

/** The living accounts that match, oldest first; a page of at most 200. */
export async function listScimUsers({ db, services }: Call, input: z.output<typeof ListScim>): Promise<ScimUserPage> {
  const where: Prisma.UserWhereInput = { AND: [{ deleted: false }, userFilter(input.filter)] };
  const totalResults = await db.user.count({ where });
  const rows =
    input.count === 0
      ? []
      : await db.user.findMany({
          where,
          select: scimUserSelect,
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
          skip: input.startIndex - 1,
          take: input.count,
        });
  return {
    schemas: [SCIM_LIST],
    totalResults,
    startIndex: input.startIndex,
    itemsPerPage: rows.length,
    Resources: rows.map((row) => presentScimUser(services.settings, row)),
  };
}

export async function getScimUser(call: Call, input: z.output<typeof ScimPath>): Promise<ScimUser> {
  return presentScimUser(call.services.settings, await loadUser(call, input.id));
}

async function loadUser({ db }: Call, id: string): Promise<ScimUserRow> {
  const row = isUuid(id) ? await db.user.findFirst({ where: { id, deleted: false }, select: scimUserSelect }) : null;
  if (row === null) throw notFound();
  return row;
}

/**
 * Makes an account that signs in with the provider, dormant until it does; or takes over the one that the provider means already, by
 * external id, user name or e-mail address, and lets it in again if it was suspended.
 */
export async function createScimUser(call: Call, input: z.output<typeof CreateScim>): Promise<ScimUser> {
  const change = userChange(changesOfObject(input.resource, 'replace'));
  if (change.userName === undefined) throw new ScimRefusal('invalidValue', 'userName is required.');
  const id = newId();
  call.audit.set({ resourceId: id, target: change.userName, additionalFields: AUTOMATIC });
  const email = newEmail(change);
  const known = await knownUser(call, { ...change, userName: change.userName }, email);
  if (known !== null) {
    const claimed = { active: true, ...claimOf(change, known) };
    return presentScimUser(call.services.settings, await changeUser(call, known, claimed));
  }
  const organizations = await joinedAtFirst(call);
  const username = await freeUsername(call, change.userName);
  const row = await insertUser(call.db, call.services, {
    id,
    email,
    username,
    name: changedName(change, ''),
    loginType: 'oidc',
    status: change.active === false ? 'suspended' : 'dormant',
    passwordHash: null,
    organizationIds: organizations,
    scimExternalId: change.externalId ?? null,
  });
  await call.db.user.update({ where: { id }, data: { scimUserName: change.userName }, select: { id: true } }).catch(refuseTwin);
  call.audit.update({ target: username, after: auditedUser(row) });
  return getScimUser(call, { id });
}

/** What a provider that finds an account may say of it: whose it is, and whether it is active. */
function claimOf({ userName, externalId, active }: UserChange, known: ScimUserRow): UserChange {
  return {
    ...(known.scimUserName === null && userName !== undefined ? { userName } : {}),
    ...(externalId === undefined || externalId === null ? {} : { externalId }),
    ...(active === undefined ? {} : { active }),
  };
}

async function knownUser({ db }: Call, change: UserChange & { userName: string }, email: string): Promise<ScimUserRow | null> {
  const { userName, externalId = null } = change;
  const rows = await db.user.findMany({
    where: {
      deleted: false,
      OR: [
        ...(externalId === null ? [] : [{ scimExternalId: externalId }]),
        { scimUserName: sameText(userName) },
        { username: sameText(userName) },
        { email: sameText(userName) },
        { email: sameText(email) },
      ],
    },
    select: scimUserSelect,
    take: 2,
  });
  const [row] = rows;
  if (row === undefined) return null;
  const isOther = externalId !== null && row.scimExternalId !== null && row.scimExternalId !== externalId;
  if (rows.length > 1 || isOther) throw new ScimRefusal('uniqueness', 'Another account has this user name, e-mail address or external id.');
  return row;
}

/** Resolution of the random source for names. */
const RANDOM_STEPS = 2 ** 32;

/** A user name made of what the provider calls somebody, that nobody has in any case. */
async function freeUsername({ db }: Call, text: string): Promise<string> {
  const candidates = usernameCandidates(text, () => randomInt(RANDOM_STEPS) / RANDOM_STEPS);
  const rows = await db.user.findMany({
    where: { deleted: false, OR: candidates.map((name) => ({ username: sameText(name) })) },
    select: { username: true },
  });
  const taken = new Set(rows.map(({ username }) => username.toLowerCase()));
  const free = candidates.find((name) => !taken.has(name.toLowerCase()));
  if (free === undefined) throw new ScimRefusal('uniqueness', 'No free user name was found: try again.');
  return free;
}

/** New accounts join the default organization, unless the sync of organizations says that nobody does unasked. */
async function joinedAtFirst({ db }: Call): Promise<string[]> {
  const { organization_assign_default: joins } = await readOrganizationSync(db);
  if (!joins) return [];
  const organization = await db.organization.findFirst({ where: { isDefault: true }, select: { id: true } });
  return organization === null ? [] : [organization.id];
}

/** Puts a whole resource in the place of what is there; what it leaves out stays, as RFC 7644 allows. */
export async function replaceScimUser(call: Call, input: z.output<typeof ChangeScim>): Promise<ScimUser> {
  const row = await namedUser(call, input.id);
  const change = userChange(changesOfObject(input.resource, 'replace'), row);
  if (change.userName === undefined) throw new ScimRefusal('invalidValue', 'userName is required.');
  return presentScimUser(call.services.settings, await changeUser(call, row, change));
}

/**
 * Changes parts of an account: by the operations of RFC 7644, or by a plain user object, of which `active` alone counts. The plain form
 * answers the account as the rest of the interface shows it, with the SCIM attributes beside.
 */
export async function patchScimUser(call: Call, input: z.output<typeof ChangeScim>): Promise<ScimUser | (User & Omit<ScimUser, 'name'>)> {
  if (!isUuid(input.id)) throw new ScimRefusal('invalidValue', 'The id of a user is a UUID.');
  const row = await namedUser(call, input.id);
  const { settings } = call.services;
  if (isPatch(input.resource)) {
    return presentScimUser(settings, await changeUser(call, row, userChange(changesOfPatch(input.resource), row)));
  }
  const changed = await changeUser(call, row, activeOnly(input.resource));
  return { ...presentScimUser(settings, changed), ...presentUser(changed) };
}

/** Suspends the account and lets go of it: what it owns stays, and the provider can take it over again. */
export async function deleteScimUser(call: Call, input: z.output<typeof ScimPath>): Promise<void> {
  const row = await namedUser(call, input.id);
  await changeUser(call, row, { active: false, externalId: null });
}

async function namedUser(call: Call, id: string): Promise<ScimUserRow> {
  const row = await loadUser(call, id);
  call.audit.set({ resourceId: row.id, target: row.username, action: 'write', additionalFields: AUTOMATIC });
  return row;
}

/**
 * Writes a change, with its audit row when there is one. Name and address are those of the provider only where the account signs in
 * with it; who has a password keeps their own. Suspending the last owner is a conflict.
 */
async function changeUser(call: Call, found: ScimUserRow, change: UserChange): Promise<ScimUserRow> {
  const { db, services } = call;
  await lockUser(db, found.id);
  const row = await loadUser(call, found.id);
  call.audit.set({ resourceId: row.id, target: row.username, action: 'write', additionalFields: AUTOMATIC });
  const status = nextStatus(row, change.active);
  const data = { ...linkOf(row, change), ...(row.loginType === 'oidc' ? personOf(row, change) : {}) };
  if (Object.keys(data).length === 0 && status === null) {
    call.audit.discard();
    return row;
  }
  if (Object.keys(data).length > 0) {
    await db.user
      .update({ where: { id: row.id }, data: { ...data, updatedAt: services.clock.now() }, select: { id: true } })
      .catch(refuseTwin);
  }
  if (status !== null) await setUserStatus(call, { userId: row.id, status });
  const after = await loadUser(call, row.id);
  call.audit.update({ before: auditedUser(row), after: auditedUser(after) });
  return after;
}

/** Of two requests at the same time the later one is refused like any later one. */
function refuseTwin(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new ScimRefusal('uniqueness', 'Another account has this user name, e-mail address or external id.');
}

/** False suspends; true lets a suspended account in again, dormant until it is used. Null: it stays as it is. */
function nextStatus(row: ScimUserRow, active: boolean | undefined): UserStatus | null {
  if (active === undefined) return null;
  const isSuspended = row.status === 'suspended';
  if (active === !isSuspended) return null;
  return active ? 'dormant' : 'suspended';
}

function linkOf(row: ScimUserRow, { userName, externalId }: UserChange): Prisma.UserUpdateInput {
  return {
    ...(userName === undefined || userName === row.scimUserName ? {} : { scimUserName: userName }),
    ...(externalId === undefined || externalId === row.scimExternalId ? {} : { scimExternalId: externalId }),
  };
}

function personOf(row: ScimUserRow, change: UserChange): Prisma.UserUpdateInput {
  const name = changedName(change, row.name);
  return {
    ...(name === row.name ? {} : { name }),
    ...(change.email === undefined || change.email === row.email ? {} : { email: change.email }),
  };
}
