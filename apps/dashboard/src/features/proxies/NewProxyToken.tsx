import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import type { Proxy } from './proxy-words.ts';
import { proxyTitle } from './proxy-words.ts';

/** Gives a proxy another token, and shows it once. */
export function NewProxyToken({ proxy, onClose }: { proxy: Proxy; onClose: () => void }): React.JSX.Element {
  const regenerate = useMutation(trpc.workspaceProxies.update.mutationOptions());
  const token = regenerate.data?.proxy_token;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`New token for ${proxyTitle(proxy)}`}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {token !== undefined ? (
        <SecretOnce secret={token} noun="token" onDone={onClose}>
          The former one is of no use any more.
        </SecretOnce>
      ) : (
        <Stack>
          <Refusal error={regenerate.error} />
          <Text size="sm">The token that the proxy has now ends at once: the proxy is cut off until it gets the new one.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep the token
            </Button>
            <Button
              color="red.8"
              loading={regenerate.isPending}
              onClick={() => regenerate.mutate({ workspaceproxy: proxy.id, regenerate_token: true })}
            >
              Make a new token
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
