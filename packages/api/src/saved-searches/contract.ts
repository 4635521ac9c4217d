import { timestamp, uuid } from '@berth/core';
import { SAVED_SEARCH_PAGES } from '@berth/domain';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { UserPath } from '../users/contract.ts';

/** How many searches a user keeps for each list. */
export const SAVED_SEARCHES_MAX = 50;
const ADDRESS_LENGTH_MAX = 2000;

export const SavedSearch = z
  .object({
    id: uuid(),
    user_id: uuid(),
    page: z.enum(SAVED_SEARCH_PAGES).meta({ description: 'The list that is searched.' }),
    name: z.string(),
    address: z.string().meta({ description: 'What stands behind the `?` of the page’s address.' }),
    created_at: timestamp(),
  })
  .meta({ id: 'SavedSearch', description: 'A search of one of the dashboard’s lists that its user keeps by a name.' });
export type SavedSearch = z.output<typeof SavedSearch>;

const Name = nameField('display_name').min(1, 'must not be empty').meta({ description: 'Unique among the user’s searches of the page.' });
const Address = z
  .string()
  .max(ADDRESS_LENGTH_MAX)
  .refine((text) => !text.startsWith('?') && !text.includes('#'), 'must be what stands between the `?` and the `#` of an address');

export const ListSavedSearches = UserPath.extend({
  page: z.enum(SAVED_SEARCH_PAGES).optional().meta({ description: 'Only the searches of this list.' }),
});

export const CreateSavedSearch = UserPath.extend({
  page: z.enum(SAVED_SEARCH_PAGES),
  name: Name,
  address: Address,
}).meta({ id: 'CreateSavedSearchRequest' });

export const SavedSearchPath = UserPath.extend({ savedsearch: uuid() });

export const UpdateSavedSearch = SavedSearchPath.extend({
  name: Name.optional(),
  address: Address.optional(),
}).meta({ id: 'UpdateSavedSearchRequest' });

export const routes = {
  list: route({
    method: 'GET',
    path: '/users/{user}/saved-searches',
    tag: 'Users',
    id: 'list-saved-searches',
    summary: 'List the saved searches of a user',
    description: 'By name.',
    errors: ['forbidden', 'not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/users/{user}/saved-searches',
    tag: 'Users',
    id: 'create-saved-search',
    summary: 'Save a search',
    description: `At most ${SAVED_SEARCHES_MAX} of a user for each list.`,
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  update: route({
    method: 'PATCH',
    path: '/users/{user}/saved-searches/{savedsearch}',
    tag: 'Users',
    id: 'update-saved-search',
    summary: 'Rename a saved search, or give it another address',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/users/{user}/saved-searches/{savedsearch}',
    tag: 'Users',
    id: 'delete-saved-search',
    summary: 'Delete a saved search',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
};
