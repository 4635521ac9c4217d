import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { PERMISSIONS_KEY } from '../access/use-permissions.ts';
import { meQuery } from '../session/session.ts';
import type { User } from './user-words.ts';

/** Puts what the server answered about an account wherever it is shown. A new username has a new address of its page. */
export function useUserChange(): (user: User) => Promise<void> {
  const queryClient = useQueryClient();
  return (user) => show(queryClient, user);
}

async function show(queryClient: QueryClient, user: User): Promise<void> {
  queryClient.setQueryData(trpc.users.get.queryKey({ user: user.username }), user);
  const me = queryClient.getQueryData(meQuery().queryKey);
  if (me?.id === user.id) queryClient.setQueryData(meQuery().queryKey, user);
  await Promise.all([
    queryClient.invalidateQueries(trpc.users.list.pathFilter()),
    queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY }),
  ]);
}
