import { useQuery } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { reportFailure } from '../../api/session-expiry.ts';
import { trpc } from '../../api/trpc.ts';
import type { Appearance } from './brand.ts';
import { appearanceQuery, storeAppearance } from './brand.ts';

/** How the deployment presents itself, and each change of it while the page is open. */
export function useLiveAppearance(): Appearance | undefined {
  const appearance = useQuery(appearanceQuery());
  useSubscription(trpc.appearance.watch.subscriptionOptions(undefined, { onData: storeAppearance, onError: reportFailure }));
  return appearance.data;
}
