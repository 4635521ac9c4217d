import type { SavedSearch } from '@berth/api/contract/saved-searches';
import type { SavedSearchPage } from '@berth/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';

const STALE_MS = 60_000;
const NONE: readonly SavedSearch[] = [];

/** The searches of a list that the reader keeps. None while they are not known, which is no reason to hold up the list. */
export function useSavedSearches(page: SavedSearchPage): readonly SavedSearch[] {
  const list = useQuery(trpc.savedSearches.list.queryOptions({ user: 'me', page }, { staleTime: STALE_MS }));
  return list.data ?? NONE;
}

const refresh = (): Promise<void> => queryClient.invalidateQueries(trpc.savedSearches.list.pathFilter());

export function useSaveSearch() {
  return useMutation(trpc.savedSearches.create.mutationOptions({ onSuccess: refresh }));
}

export function useUpdateSearch() {
  return useMutation(trpc.savedSearches.update.mutationOptions({ onSuccess: refresh }));
}

export function useDeleteSearch() {
  return useMutation(trpc.savedSearches.delete.mutationOptions({ onSuccess: refresh }));
}
