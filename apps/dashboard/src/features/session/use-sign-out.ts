import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';
import { forgetSession } from './session.ts';

/** Ends the session and leaves for the sign-in page; with `redirect`, whoever signs in next comes back there. */
export function useSignOut(redirect?: string) {
  const navigate = useNavigate();
  return useMutation(
    trpc.auth.logout.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/login', search: redirect === undefined ? {} : { redirect } });
        forgetSession();
      },
      onError: (error) => notifyFailure('You are still signed in', error),
    }),
  );
}
