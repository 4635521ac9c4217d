import { ActionIcon, Badge, Box, Group, Table, Text, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { useNow } from '../../ui/clock.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { TokenScope } from '../account/TokenScope.tsx';
import { isExpired } from './unused-spans.ts';

export type Token = Outputs['tokens']['list'][number];

/** A token of somebody, with the way to end it. */
export function TokenRow({ token }: { token: Token }): React.JSX.Element {
  const now = useNow();
  const name = token.token_name === '' ? token.id : token.token_name;
  const owner = (
    <AnchorLink to="/people/users/$user" params={{ user: token.username }} size="sm" className="wrap-anywhere">
      {token.username}
    </AnchorLink>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <Text size="sm" fw={600} className="wrap-anywhere">
            {name}
          </Text>
          {isExpired(token, now) && <Badge color="gray">expired</Badge>}
        </Group>
        <Text size="xs" c="dimmed" ff="monospace">
          {token.id}
        </Text>
        <Box hiddenFrom="sm">{owner}</Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">{owner}</Table.Td>
      <Table.Td visibleFrom="md">
        <TokenScope token={token} />
      </Table.Td>
      <Table.Td>
        <When at={token.last_used} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <When at={token.expires_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Revoke token={token} name={name} />
      </Table.Td>
    </Table.Tr>
  );
}

function Revoke({ token, name }: { token: Token; name: string }): React.JSX.Element {
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.tokens.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} of ${token.username} is revoked.`);
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
      onError: (error) => notifyFailure(`${name} could not be revoked`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Revoke ${name} of ${token.username}?`,
      children: (
        <Text size="sm">
          {token.last_used === null ? 'Nothing has used it yet. ' : ''}Whatever uses this token is refused from now on. This cannot be
          undone.
        </Text>
      ),
      labels: { confirm: 'Revoke', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate({ user: token.user_id, keyid: token.id }),
    });
  };
  const label = `Revoke ${name} of ${token.username}`;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="red" aria-label={label} loading={revoke.isPending} onClick={confirm}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
