import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';

/** Unlinks one's account at a service, once confirmed. */
export function useUnlink({ id, name }: { id: string; name: string }): { ask: () => void; isPending: boolean } {
  const queryClient = useQueryClient();
  const unlink = useMutation(
    trpc.externalAuth.unlink.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} is unlinked.`);
        await queryClient.invalidateQueries(trpc.externalAuth.pathFilter());
      },
      onError: (error) => notifyFailure(`${name} is still linked`, error),
    }),
  );
  const ask = (): void => {
    modals.openConfirmModal({
      title: `Unlink ${name}?`,
      children: (
        <Text size="sm">
          Your workspaces can no longer use your account there: git asks for a password, and templates that need it do not start. You can
          link it again at any time.
        </Text>
      ),
      labels: { confirm: 'Unlink', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => unlink.mutate({ externalauth: id }),
    });
  };
  return { ask, isPending: unlink.isPending };
}
