import type { MantineColorScheme } from '@mantine/core';
import { useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';
import { meQuery } from '../session/session.ts';

export const COLOR_SCHEMES = [
  { value: 'light', label: 'Light', preference: 'light' },
  { value: 'dark', label: 'Dark', preference: 'dark' },
  { value: 'auto', label: 'System', preference: 'auto' },
] as const satisfies readonly { value: MantineColorScheme; label: string; preference: string }[];

/** The colour scheme of this browser, kept in the account too, for the next one. */
export function useAppearance(): { scheme: MantineColorScheme; choose: (scheme: string) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const save = useMutation(
    trpc.users.updateAppearance.mutationOptions({
      onSuccess: (me) => queryClient.setQueryData(meQuery().queryKey, me),
      onError: (error) => notifyFailure('The theme is set in this browser only', error),
    }),
  );
  return {
    scheme: colorScheme,
    choose: (value) => {
      const chosen = COLOR_SCHEMES.find((candidate) => candidate.value === value);
      if (chosen === undefined) return;
      setColorScheme(chosen.value);
      save.mutate({ user: 'me', theme_preference: chosen.preference });
    },
  };
}
