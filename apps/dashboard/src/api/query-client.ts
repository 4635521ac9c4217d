import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isKind } from './errors.ts';
import { isUnreachable } from './reachability.ts';
import { reportFailure } from './session-expiry.ts';

const RETRIES_MAX = 2;

/** Retries while the server does not answer, and a few times when it is not ready. Any other answer is final. */
function mayRetry(failures: number, error: Error): boolean {
  return isUnreachable(error) || (failures < RETRIES_MAX && isKind(error, 'unavailable'));
}

/** Live pages are fed by subscriptions, so data is not fetched again merely because a window got the focus. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Sign-in state is asked for by the routes themselves, which know what to do with a 401.
    onError: (error, query) => {
      if (query.meta?.['anonymous'] !== true) reportFailure(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.['anonymous'] !== true) reportFailure(error);
    },
  }),
  defaultOptions: {
    queries: { staleTime: 15_000, refetchOnWindowFocus: false, retry: mayRetry },
    mutations: { retry: false },
  },
});
