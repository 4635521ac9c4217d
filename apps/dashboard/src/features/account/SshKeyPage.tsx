import { Button, Code, CopyButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { When } from '../../ui/When.tsx';
import { Section } from './Section.tsx';

/** The key that one's workspaces show to git hosts. */
export function SshKeyPage(): React.JSX.Element {
  const key = useQuery(trpc.gitSshKeys.get.queryOptions({ user: 'me' }));
  return (
    <Page title="SSH key" subtitle="Your workspaces show this key to git hosts, so that they clone and push as you.">
      {key.isError ? (
        <ErrorNotice error={key.error} title="The key could not be loaded" onRetry={() => void key.refetch()} />
      ) : (
        <Section
          title="Public key"
          description="Add it to your account at each git host. The private half stays on this server and in your workspaces."
        >
          {key.data === undefined ? (
            <Skeleton height={110} role="status" aria-label="Loading the key" />
          ) : (
            <Stack>
              <Code block className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }} aria-label="Your public key">
                {key.data.public_key}
              </Code>
              <Group justify="space-between">
                <Text size="xs" c="dimmed">
                  Made <When at={key.data.updated_at} />
                </Text>
                <Group gap="xs">
                  <Regenerate />
                  <CopyButton value={key.data.public_key}>
                    {({ copied, copy }) => (
                      <Button size="xs" variant={copied ? 'light' : 'filled'} onClick={copy}>
                        {copied ? 'Copied' : 'Copy key'}
                      </Button>
                    )}
                  </CopyButton>
                </Group>
              </Group>
            </Stack>
          )}
        </Section>
      )}
    </Page>
  );
}

function Regenerate(): React.JSX.Element {
  const queryClient = useQueryClient();
  const regenerate = useMutation(
    trpc.gitSshKeys.regenerate.mutationOptions({
      onSuccess: (made) => {
        queryClient.setQueryData(trpc.gitSshKeys.get.queryKey({ user: 'me' }), made);
        notifyDone('You have a new key. Add it at your git hosts.');
      },
      onError: (error) => notifyFailure('You keep the key that you have', error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: 'Make a new key?',
      children: (
        <Text size="sm">
          The old one is gone at once: until your git hosts have the new one, your workspaces can neither pull from them nor push.
        </Text>
      ),
      labels: { confirm: 'Make a new key', cancel: 'Keep this one' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => regenerate.mutate({ user: 'me' }),
    });
  };
  return (
    <Button size="xs" variant="default" loading={regenerate.isPending} onClick={confirm}>
      Make a new one…
    </Button>
  );
}
