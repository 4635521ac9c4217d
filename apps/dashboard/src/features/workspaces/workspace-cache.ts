import type { Workspace, WorkspacePage } from '@berth/api/contract/workspaces';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import { atMostEvery } from './at-most-every.ts';
import { newer } from './newer.ts';

/** Where many change at once, a list is not asked for with each of them. */
const REFRESH_EVERY_MS = 2000;

/** Puts the news about a workspace wherever it is shown. An older state never replaces a newer one. */
export function storeWorkspace(workspace: Workspace): void {
  const named = { user: workspace.owner_name, workspacename: workspace.name };
  queryClient.setQueryData(trpc.workspaces.getByOwnerAndName.queryKey(named), (known) => newer(known, workspace));
  // The same workspace may be open under another address: its owner may be called `me` there.
  queryClient.setQueriesData<Workspace>(trpc.workspaces.getByOwnerAndName.pathFilter(), (known) =>
    known?.id === workspace.id ? newer(known, workspace) : known,
  );
  let isListed = false;
  queryClient.setQueriesData<WorkspacePage>(trpc.workspaces.list.pathFilter(), (page) => {
    if (page === undefined || !page.workspaces.some(({ id }) => id === workspace.id)) return page;
    isListed = true;
    return { ...page, workspaces: page.workspaces.map((known) => (known.id === workspace.id ? newer(known, workspace) : known)) };
  });
  // A list that is on its way may have been read before this news, and would take them back: it is asked for anew.
  if (!isListed || queryClient.isFetching(trpc.workspaces.list.pathFilter()) > 0) refreshListsSoon();
}

/** The lists again, now or in a moment: news come in bursts. */
export const refreshListsSoon = atMostEvery(REFRESH_EVERY_MS, () => void refreshLists());

/** The lists again: something came, went, or was never there. */
export function refreshLists(): Promise<void> {
  return queryClient.invalidateQueries(trpc.workspaces.list.pathFilter());
}
