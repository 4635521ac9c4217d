import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import type { Proxy } from './proxy-words.ts';
import { proxyTitle } from './proxy-words.ts';

/** Deletes a proxy for good. */
export function DeleteProxy({ proxy, onClose }: { proxy: Proxy; onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.workspaceProxies.delete.mutationOptions({
      onSuccess: async () => {
        onClose();
        notifyDone(`${proxyTitle(proxy)} is deleted.`);
        await queryClient.invalidateQueries(trpc.workspaceProxies.pathFilter());
      },
    }),
  );
  return (
    <TypedConfirm
      isOpen
      onClose={onClose}
      title={`Delete ${proxyTitle(proxy)}`}
      name={proxy.name}
      action="Delete proxy"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ workspaceproxy: proxy.id })}
    >
      <Text size="sm">Its token ends at once, and its address serves nothing more. People are served by this server again.</Text>
    </TypedConfirm>
  );
}
