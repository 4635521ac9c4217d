import { useSubscription } from '@trpc/tanstack-react-query';
import { reportFailure } from '../../api/session-expiry.ts';
import { trpc } from '../../api/trpc.ts';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

/** Keeps one workspace current: the server sends it whole at once, and again on each change. */
export function useLiveWorkspace(id: string): void {
  useSubscription(trpc.workspaces.watch.subscriptionOptions({ workspace: id }, { onData: storeWorkspace, onError: reportFailure }));
}
