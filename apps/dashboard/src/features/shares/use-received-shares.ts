import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';

/** Shares come and go without news of their own. */
const LOOK_AGAIN_MS = 10_000;
const SHOWN_MAX = 100;

/** What others share with the signed-in person now. */
export function useReceivedShares() {
  return useQuery(
    trpc.workspaceShares.received.queryOptions({ user: 'me', limit: SHOWN_MAX }, { staleTime: 0, refetchInterval: LOOK_AGAIN_MS }),
  );
}
