import { Avatar, Badge, Box, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { WorkspaceShare } from '@berth/api/contract/workspace-shares';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconShare, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { UserAvatar } from '../../ui/UserAvatar.tsx';
import { useWorkspaceRights } from '../workspace/use-workspace-rights.ts';
import { ShareDialog } from './ShareDialog.tsx';
import { sharedThing } from './share-words.ts';

const SHOWN_MAX = 100;
/** A share ends by itself, and says when it was last used. */
const LOOK_AGAIN_MS = 15_000;

/** Who else gets into a workspace, how far and how long, and who did. */
export function SharingTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const { may } = useWorkspaceRights(workspace);
  const [isSharing, dialog] = useDisclosure(false);
  const shares = useQuery(
    trpc.workspaceShares.list.queryOptions({ workspace: workspace.id, limit: SHOWN_MAX }, { staleTime: 0, refetchInterval: LOOK_AGAIN_MS }),
  );
  const share = may.update && (
    <Button leftSection={<IconShare size={16} />} onClick={dialog.open}>
      Share…
    </Button>
  );
  const all = shares.data?.shares ?? [];
  const active = all.filter(({ status }) => status === 'active');
  const past = all.filter(({ status }) => status !== 'active');
  return (
    <Stack gap="lg">
      {shares.isError ? (
        <ErrorNotice error={shares.error} title="The shares could not be loaded" onRetry={() => void shares.refetch()} />
      ) : shares.data === undefined ? (
        <TableSkeleton label="Loading shares" rows={2} />
      ) : all.length === 0 ? (
        <EmptyState icon={<IconShare size={24} />} title="Nobody else gets in here" action={share}>
          {may.update
            ? 'Show an app to somebody, let them watch a terminal, or let them in to help. It ends by itself.'
            : 'Who may change this workspace can share its apps and terminals for a time.'}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Title order={2}>Shared now</Title>
            {share}
          </Group>
          {active.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing at the moment.
            </Text>
          ) : (
            <ShareTable label="Shared now" shares={active} mayEnd={may.update} />
          )}
          {past.length > 0 && (
            <>
              <Title order={2}>Over</Title>
              <ShareTable label="Shares that are over" shares={past} mayEnd={false} />
            </>
          )}
          {shares.data.count > SHOWN_MAX && (
            <Text size="sm" c="dimmed">
              These are the newest {SHOWN_MAX} of {shares.data.count}. All of them stand in the audit log.
            </Text>
          )}
        </>
      )}
      <ShareDialog workspace={workspace} isOpen={isSharing} onClose={dialog.close} />
    </Stack>
  );
}

interface ShareTableProps {
  readonly label: string;
  readonly shares: readonly WorkspaceShare[];
  readonly mayEnd: boolean;
}

function ShareTable({ label, shares, mayEnd }: ShareTableProps): React.JSX.Element {
  return (
    <DataTable
      label={label}
      columns={[
        { title: 'Who' },
        { title: 'What', from: 'sm' },
        { title: 'Ends', from: 'xs' },
        { title: 'Last used', from: 'sm' },
        ...(mayEnd ? [{ title: 'End', width: 100, isLast: true }] : []),
      ]}
    >
      {shares.map((share) => (
        <ShareRow key={share.id} share={share} mayEnd={mayEnd} />
      ))}
    </DataTable>
  );
}

function ShareRow({ share, mayEnd }: { share: WorkspaceShare; mayEnd: boolean }): React.JSX.Element {
  const { recipient } = share;
  const name = recipient.display_name === '' ? recipient.name : recipient.display_name;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          {recipient.type === 'group' ? (
            <Avatar src={recipient.avatar_url === '' ? null : recipient.avatar_url} color="harbour" size={30} alt="" aria-hidden>
              <IconUsersGroup size={16} />
            </Avatar>
          ) : (
            <UserAvatar username={recipient.name} avatarUrl={recipient.avatar_url} size={30} />
          )}
          <Box miw={0}>
            <Text size="sm" fw={600} className="wrap-anywhere">
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {recipient.type === 'group' ? 'Group' : recipient.name}
            </Text>
            <Text size="xs" hiddenFrom="sm">
              {sharedThing(share)}
            </Text>
            <Text size="xs" c="dimmed" hiddenFrom="xs" component="div">
              <End share={share} />
            </Text>
          </Box>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">{sharedThing(share)}</Table.Td>
      <Table.Td visibleFrom="xs">
        <End share={share} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={share.last_used_at} />
      </Table.Td>
      {mayEnd && (
        <Table.Td ta="right">
          <EndShare share={share} name={name} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function End({ share: { status, expires_at: expiresAt, ended_at: endedAt } }: { share: WorkspaceShare }): React.JSX.Element {
  if (status === 'active') return <When at={expiresAt} />;
  return (
    <Group gap={6}>
      <Badge color="gray">{status === 'ended' ? 'taken back' : 'expired'}</Badge>
      <When at={endedAt ?? expiresAt} />
    </Group>
  );
}

function EndShare({ share, name }: { share: WorkspaceShare; name: string }): React.JSX.Element {
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.workspaceShares.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} is out again.`);
        await queryClient.invalidateQueries(trpc.workspaceShares.list.pathFilter());
      },
      onError: (error) => notifyFailure('The share could not be ended', error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `End the share with ${name}?`,
      children: <Text size="sm">{sharedThing(share)}: what they have open closes at once. You can share it anew.</Text>,
      labels: { confirm: 'End now', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => end.mutate({ workspace: share.workspace_id, share: share.id }),
    });
  };
  return (
    <Button
      size="compact-sm"
      variant="light"
      color="red"
      loading={end.isPending}
      onClick={confirm}
      aria-label={`End now: the share with ${name}`}
    >
      End now
    </Button>
  );
}
