import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import type { AppHost } from './app-url.ts';

/** The domain of apps, which never changes while a server runs; undefined until it is known. */
export function useAppHost(): AppHost | undefined {
  const answer = useQuery(trpc.applications.host.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
  return answer.data?.host;
}

/** What gives a server its domain of apps. */
export const APP_HOST_SETTING = 'BERTH_WILDCARD_ACCESS_URL';
