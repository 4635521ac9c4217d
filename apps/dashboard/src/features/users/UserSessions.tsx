import { ActionIcon, Badge, Box, Button, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import type { Credential } from './credentials.ts';
import { credentialName } from './credentials.ts';
import type { User } from './user-words.ts';

const ROWS_MAX = 50;

/** What is signed in as this account: sessions of browsers, and tokens of programs. */
export function UserSessions({ user, mayRevoke }: { user: User; mayRevoke: boolean }): React.JSX.Element {
  const list = useQuery(trpc.tokens.listSessions.queryOptions({ user: user.id }));
  if (list.isError) return <ErrorNotice error={list.error} title="The sessions could not be loaded" onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <Skeleton height={200} radius="md" />;
  const keys = list.data;
  if (keys.length === 0) {
    return (
      <EmptyState icon={<IconKey size={24} />} title="Nothing is signed in">
        No browser has a session of {user.username}, and no program a token.
      </EmptyState>
    );
  }
  return (
    <Section
      title="Sessions and tokens"
      description={keys.length > ROWS_MAX ? `${keys.length} altogether; the first ${ROWS_MAX} are shown.` : undefined}
      actions={mayRevoke && <RevokeAll user={user} />}
    >
      <Box style={{ overflow: 'hidden' }} mx="calc(-1 * var(--mantine-spacing-lg))">
        <Table horizontalSpacing="lg" verticalSpacing="sm" aria-label="Sessions and tokens">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th visibleFrom="sm">Since</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th visibleFrom="xs">Ends</Table.Th>
              {mayRevoke && (
                <Table.Th w={60} ta="right">
                  Revoke
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.slice(0, ROWS_MAX).map((key) => (
              <KeyRow key={key.id} user={user} credential={key} mayRevoke={mayRevoke} />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Section>
  );
}

function KeyRow({ user, credential, mayRevoke }: { user: User; credential: Credential; mayRevoke: boolean }): React.JSX.Element {
  const queryClient = useQueryClient();
  const name = credentialName(credential);
  const revoke = useMutation(
    trpc.tokens.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} is revoked.`);
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
      onError: (error) => notifyFailure(`${name} could not be revoked`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Revoke ${name}?`,
      children: <Text size="sm">Whatever uses it is refused from now on. This cannot be undone.</Text>,
      labels: { confirm: 'Revoke', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate({ user: user.id, keyid: credential.id }),
    });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {credential.last_used_ip === '' ? credential.id : `${credential.id} · ${credential.last_used_ip}`}{' '}
          {credential.scope !== 'all' && <Badge color="gray">{credential.scope.replaceAll('_', ' ')}</Badge>}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={credential.created_at} />
      </Table.Td>
      <Table.Td>
        <When at={credential.last_used} />
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <When at={credential.expires_at} />
      </Table.Td>
      {mayRevoke && (
        <Table.Td ta="right">
          {!credential.is_current && (
            <Tooltip label={`Revoke ${name}`}>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Revoke ${name} ${credential.id}`}
                loading={revoke.isPending}
                onClick={confirm}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function RevokeAll({ user }: { user: User }): React.JSX.Element {
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.tokens.deleteAll.mutationOptions({
      onSuccess: async () => {
        notifyDone(`Everything of ${user.username} is signed out.`);
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
      onError: (error) => notifyFailure(`Not everything of ${user.username} could be signed out`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Sign ${user.username} out everywhere?`,
      children: (
        <Text size="sm">
          Every session ends and every token stops working at once, also those of their running programs. They may sign in again.
        </Text>
      ),
      labels: { confirm: 'Revoke all', cancel: 'Keep them' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate({ user: user.id }),
    });
  };
  return (
    <Button size="xs" variant="default" loading={revoke.isPending} onClick={confirm}>
      Revoke all…
    </Button>
  );
}
