import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';
import { leaveSession } from './leave-session.ts';

/** Ends the session and opens the sign-in page; with `redirect`, signing in again returns there. */
export function useSignOut(redirect?: string) {
  return useMutation(
    trpc.auth.logout.mutationOptions({
      onSuccess: () => leaveSession(redirect === undefined ? {} : { redirect }),
      onError: (error) => notifyFailure('You are still signed in', error),
    }),
  );
}
