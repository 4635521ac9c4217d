import { ActionIcon, Box, Button, Code, Table, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { Outputs } from '../../api/trpc.ts';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { CreateToken } from './CreateToken.tsx';
import { TokenScope } from './TokenScope.tsx';

/** The caller's own API tokens. */
export function TokensPage(): React.JSX.Element {
  const tokens = useQuery(trpc.tokens.list.queryOptions({ user: 'me' }));
  const [isCreating, creation] = useDisclosure(false);
  return (
    <Page
      title="API tokens"
      subtitle={
        <>
          For scripts and programs: send one in the header <Code>Service-Session-Token</Code>. No token may do more than you.
        </>
      }
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
          New token
        </Button>
      }
    >
      {tokens.isError ? (
        <ErrorNotice error={tokens.error} title="The tokens could not be loaded" onRetry={() => void tokens.refetch()} />
      ) : tokens.data === undefined ? (
        <TableSkeleton label="Loading tokens" rows={3} />
      ) : tokens.data.length === 0 ? (
        <EmptyState
          icon={<IconKey size={24} />}
          title="No tokens yet"
          action={
            <Button variant="default" onClick={creation.open}>
              Make a token
            </Button>
          }
        >
          Make one for each program, so that you can revoke them one by one.
        </EmptyState>
      ) : (
        <DataTable
          label="API tokens"
          columns={[
            { title: 'Name' },
            { title: 'May do', from: 'sm' },
            { title: 'Created', from: 'sm' },
            { title: 'Last used', from: 'xs' },
            { title: 'Expires' },
            { title: 'Revoke', width: 60, isLast: true },
          ]}
        >
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </DataTable>
      )}
      <CreateToken isOpen={isCreating} onClose={creation.close} />
    </Page>
  );
}

type Token = Outputs['tokens']['list'][number];

function TokenRow({ token }: { token: Token }): React.JSX.Element {
  const queryClient = useQueryClient();
  const name = token.token_name === '' ? token.id : token.token_name;
  const revoke = useMutation(
    trpc.tokens.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} is revoked.`);
        await queryClient.invalidateQueries(trpc.tokens.list.pathFilter());
      },
      onError: (error) => notifyFailure(`${name} could not be revoked`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Revoke ${name}?`,
      children: <Text size="sm">Whatever uses this token is refused from now on. This cannot be undone.</Text>,
      labels: { confirm: 'Revoke', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate({ user: 'me', keyid: token.id }),
    });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {token.id}
        </Text>
        <Box hiddenFrom="sm">
          <TokenScope token={token} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <TokenScope token={token} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={token.created_at} />
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <When at={token.last_used} />
      </Table.Td>
      <Table.Td>
        <When at={token.expires_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label={`Revoke ${name}`}>
          <ActionIcon variant="subtle" color="red" aria-label={`Revoke ${name}`} loading={revoke.isPending} onClick={confirm}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}
