import { conflict, newId, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import type { SavedSearchPage } from '@berth/domain';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { lockUser } from '../auth/lock-user.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireCover, resolveUser } from '../users/index.ts';
import type { CreateSavedSearch, ListSavedSearches, SavedSearch, SavedSearchPath, UpdateSavedSearch } from './contract.ts';
import { SAVED_SEARCHES_MAX } from './contract.ts';

const searchSelect = {
  id: true,
  userId: true,
  page: true,
  name: true,
  address: true,
  createdAt: true,
} as const satisfies Prisma.SavedSearchSelect;
type SearchRow = Prisma.SavedSearchGetPayload<{ select: typeof searchSelect }>;

/** The searches that a user keeps, by name; those of one list when `page` says which. */
export async function listSavedSearches(call: UserCall, input: z.output<typeof ListSavedSearches>): Promise<SavedSearch[]> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const rows = await call.db.savedSearch.findMany({
    where: { userId: user.id, ...(input.page === undefined ? {} : { page: input.page }) },
    select: searchSelect,
    orderBy: [{ page: 'desc' }, { name: 'asc' }],
  });
  return rows.map(presentSearch);
}

/** Keeps a search. @throws conflict for a name that the user has given already, and for more than a user may keep. */
export async function createSavedSearch(call: UserCall, input: z.output<typeof CreateSavedSearch>): Promise<SavedSearch> {
  const id = newId();
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: id, target: input.name });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  await lockUser(call.db, user.id);
  const place = { userId: user.id, page: input.page };
  await refuseTaken(call, { ...place, name: input.name });
  if ((await call.db.savedSearch.count({ where: place })) >= SAVED_SEARCHES_MAX) {
    throw conflict(`At most ${SAVED_SEARCHES_MAX} searches of a list are kept. Delete one that is no longer needed.`);
  }
  const row = await call.db.savedSearch.create({
    data: { id, ...place, name: input.name, address: input.address, createdAt: call.services.clock.now() },
    select: searchSelect,
  });
  call.audit.update({ after: auditedSearch(row) });
  return presentSearch(row);
}

/** Changes what is given and leaves the rest. @throws conflict for a name that the user has given to another search of the list. */
export async function updateSavedSearch(call: UserCall, input: z.output<typeof UpdateSavedSearch>): Promise<SavedSearch> {
  const before = await holdSearch(call, input);
  const { name = before.name, address = before.address } = input;
  if (name === before.name && address === before.address) {
    call.audit.discard();
    return presentSearch(before);
  }
  if (name !== before.name) await refuseTaken(call, { userId: before.userId, page: before.page, name });
  const after = await call.db.savedSearch.update({ where: { id: before.id }, data: { name, address }, select: searchSelect });
  call.audit.update({ target: after.name, before: auditedSearch(before), after: auditedSearch(after) });
  return presentSearch(after);
}

export async function deleteSavedSearch(call: UserCall, input: z.output<typeof SavedSearchPath>): Promise<void> {
  const row = await holdSearch(call, input);
  await call.db.savedSearch.delete({ where: { id: row.id }, select: { id: true } });
  call.audit.update({ before: auditedSearch(row) });
}

/** The search that the path names, once the caller is allowed what the procedure does; until the transaction ends nobody else changes it. */
async function holdSearch(call: UserCall, path: z.output<typeof SavedSearchPath>): Promise<SearchRow> {
  const user = await resolveUser(call, path.user);
  const find = () => call.db.savedSearch.findFirst({ where: { id: path.savedsearch, userId: user.id }, select: searchSelect });
  const found = await find();
  if (found !== null) call.audit.set({ resourceId: found.id, target: found.name });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  await lockUser(call.db, user.id);
  const row = await find();
  if (row === null) throw notFound();
  return row;
}

async function refuseTaken(call: UserCall, key: { userId: string; page: string; name: string }): Promise<void> {
  if ((await call.db.savedSearch.count({ where: key })) === 0) return;
  throw conflict('There is already a saved search of this name.', [{ field: 'name', detail: 'is already taken' }]);
}

function presentSearch(row: SearchRow): SavedSearch {
  return {
    id: row.id,
    user_id: row.userId,
    // The column carries a check constraint with these very values.
    page: row.page as SavedSearchPage,
    name: row.name,
    address: row.address,
    created_at: row.createdAt.toISOString(),
  };
}

function auditedSearch({ page, name, address }: SearchRow): Record<string, unknown> {
  return { page, name, address };
}
