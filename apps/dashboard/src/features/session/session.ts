import { isKind } from '../../api/errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import type { Outputs } from '../../api/trpc.ts';

export type Me = Outputs['users']['get'];

/** Who is signed in. Asked once; what changes it says so. */
export function meQuery() {
  return trpc.users.get.queryOptions({ user: 'me' }, { staleTime: Number.POSITIVE_INFINITY, meta: { anonymous: true } });
}

/** The signed-in user, or null for a visitor. */
export async function loadMe(): Promise<Me | null> {
  try {
    return await queryClient.ensureQueryData(meQuery());
  } catch (error) {
    if (isKind(error, 'unauthenticated')) return null;
    throw error;
  }
}

/** Whether anybody has an account here yet; without one, the set-up page is the only page. */
export async function hasFirstUser(): Promise<boolean> {
  try {
    await queryClient.fetchQuery(trpc.users.hasFirst.queryOptions({}, { meta: { anonymous: true } }));
    return true;
  } catch (error) {
    if (isKind(error, 'not_found')) return false;
    throw error;
  }
}

/**
 * Drops what an earlier session loaded, before the first call of a new one. Queries on screen stay: one that is removed while a component
 * observes it never delivers its result. The pages before sign-in show nothing that belongs to a session.
 */
export function forgetSession(): void {
  queryClient.removeQueries({ type: 'inactive' });
}
