import { ActionIcon, Button, Code, Modal, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';

type Secret = Outputs['oauth2Apps']['listSecrets'][number];

/** With what an application proves that it is itself. */
export function AppSecrets({ app }: { app: { readonly id: string } }): React.JSX.Element {
  const queryClient = useQueryClient();
  const secrets = useQuery(trpc.oauth2Apps.listSecrets.queryOptions({ app: app.id }));
  const create = useMutation(
    trpc.oauth2Apps.createSecret.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.oauth2Apps.listSecrets.pathFilter()),
      onError: (error) => notifyFailure('No secret could be made', error),
    }),
  );
  const made = create.data?.[0];
  return (
    <Section
      title="Secrets"
      description="The program sends one of them when it asks for a token. Have two while you change from one to the next."
      actions={
        <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate({ app: app.id })}>
          New secret
        </Button>
      }
    >
      {secrets.isError ? (
        <ErrorNotice error={secrets.error} title="The secrets could not be loaded" onRetry={() => void secrets.refetch()} />
      ) : secrets.data === undefined ? (
        <Skeleton height={60} />
      ) : secrets.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No secret yet: the program cannot get tokens.
        </Text>
      ) : (
        <Table aria-label="Secrets" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Ends with</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th w={60} ta="right">
                Delete
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {secrets.data.map((secret) => (
              <SecretRow key={secret.id} app={app} secret={secret} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Modal
        opened={made !== undefined}
        onClose={create.reset}
        title="New secret"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {made !== undefined && <SecretOnce secret={made.client_secret_full} noun="secret" onDone={create.reset} />}
      </Modal>
    </Section>
  );
}

function SecretRow({ app, secret }: { app: { readonly id: string }; secret: Secret }): React.JSX.Element {
  const queryClient = useQueryClient();
  const name = `…${secret.client_secret_truncated}`;
  const remove = useMutation(
    trpc.oauth2Apps.deleteSecret.mutationOptions({
      onSuccess: async () => {
        notifyDone(`The secret ${name} is deleted.`);
        await queryClient.invalidateQueries(trpc.oauth2Apps.listSecrets.pathFilter());
      },
      onError: (error) => notifyFailure(`The secret ${name} could not be deleted`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Delete the secret ${name}?`,
      children: <Text size="sm">A program that still sends it gets no tokens any more. This cannot be undone.</Text>,
      labels: { confirm: 'Delete', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate({ app: app.id, secretID: secret.id }),
    });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{name}</Code>
      </Table.Td>
      <Table.Td>
        <When at={secret.last_used_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label={`Delete ${name}`}>
          <ActionIcon variant="subtle" color="red" aria-label={`Delete ${name}`} loading={remove.isPending} onClick={confirm}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}
