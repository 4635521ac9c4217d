import { useSubscription } from '@trpc/tanstack-react-query';
import { reportFailure } from '../../api/session-expiry.ts';
import { trpc } from '../../api/trpc.ts';
import { refreshLists, refreshListsSoon, storeWorkspace } from './workspace-cache.ts';

/** Keeps every list of workspaces current for as long as the page is open. */
export function useLiveWorkspaces(): void {
  useSubscription(
    trpc.workspaces.watchList.subscriptionOptions(undefined, {
      // The stream tells changes only: what happened before it began, or while it was broken, is in the list.
      onStarted: () => void refreshLists(),
      onData: ({ workspace }) => {
        if (workspace === null) refreshListsSoon();
        else storeWorkspace(workspace);
      },
      onError: reportFailure,
    }),
  );
}
