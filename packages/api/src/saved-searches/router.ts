import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { CreateSavedSearch, ListSavedSearches, SavedSearch, SavedSearchPath, UpdateSavedSearch, routes } from './contract.ts';
import { createSavedSearch, deleteSavedSearch, listSavedSearches, updateSavedSearch } from './saved-searches.ts';

export const savedSearchesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'user:read_personal' })
    .input(ListSavedSearches)
    .output(z.array(SavedSearch))
    .query(({ ctx, input }) => listSavedSearches(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'user:update_personal', audit: { resource: 'saved_search', action: 'create' } })
    .input(CreateSavedSearch)
    .output(SavedSearch)
    .mutation(({ ctx, input }) => createSavedSearch(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'user:update_personal', audit: { resource: 'saved_search', action: 'write' } })
    .input(UpdateSavedSearch)
    .output(SavedSearch)
    .mutation(({ ctx, input }) => updateSavedSearch(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'user:update_personal', audit: { resource: 'saved_search', action: 'delete' } })
    .input(SavedSearchPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteSavedSearch(ctx, input)),
});
