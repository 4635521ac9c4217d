import type { Workspace, WorkspacePage } from '@berth/api/contract/workspaces';
import { useThrottledValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import type { Listed } from './page-options.ts';
import { pageOptions } from './page-options.ts';
import { PAGE_ROWS, pagesOf, rowAt } from './pages.ts';

/** Rows that were flown past are not asked for. */
const SCROLL_PAUSE_MS = 120;
/** Rows beyond those in sight that are asked for, too. */
const AHEAD = 30;

/**
 * The beginning of a list, with the count of all. While another list is on its way, `listed` is the one before, whose rows stay in sight.
 */
export function useFirstRows(asked: Listed) {
  const first = useQuery(pageOptions(asked, 0));
  const [listed, setListed] = useState(asked);
  const isSame = listed.q === asked.q && listed.sort === asked.sort;
  if (!isSame && first.data !== undefined) setListed(asked);
  const before = useQuery({ ...pageOptions(listed, 0), enabled: !isSame });
  return {
    listed,
    isStale: !isSame,
    data: isSame ? first.data : (before.data ?? first.data),
    // Rows that are here stay when they cannot be asked for again; that the server is away is said elsewhere.
    error: first.data === undefined ? first.error : null,
    retry: first.refetch,
  };
}

/** The row at each index, as far as it is here; those around `first` to `last` are asked for. */
export function useRowsInSight(
  listed: Listed,
  sight: { readonly first: number; readonly last: number; readonly count: number },
): (index: number) => Workspace | undefined {
  const { first, last, count } = sight;
  const wanted = pagesOf(first - AHEAD, Math.min(last + AHEAD, count - 1)).join(',');
  const asked = useThrottledValue(wanted, SCROLL_PAUSE_MS).split(',').map(Number);
  const pages = useQueries({
    queries: asked.map((page) => pageOptions(listed, page)),
    combine: (results) =>
      new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[asked[index] ?? -1, data.workspaces] as const]))),
  });
  return (index) => rowAt(pages, index) ?? cachedRow(listed, index);
}

/** A row that was in sight before. */
function cachedRow(listed: Listed, index: number): Workspace | undefined {
  const page = queryClient.getQueryData<WorkspacePage>(pageOptions(listed, Math.floor(index / PAGE_ROWS)).queryKey);
  return page?.workspaces[index % PAGE_ROWS];
}

/** The rows from `first` to `last`, both included, asked for where they are not here; in the order of the list. */
export async function loadRows(listed: Listed, first: number, last: number): Promise<Workspace[]> {
  const rows: Workspace[] = [];
  for (const page of pagesOf(first, last)) {
    const { workspaces } = await queryClient.fetchQuery({ ...pageOptions(listed, page), staleTime: Number.POSITIVE_INFINITY });
    const offset = page * PAGE_ROWS;
    rows.push(...workspaces.slice(Math.max(0, first - offset), last + 1 - offset));
  }
  return rows;
}
