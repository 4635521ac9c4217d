import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { credentialCounts } from './credentials.ts';
import { endsSentences } from './suspension.ts';
import { useUserChange } from './use-user-change.ts';
import type { User } from './user-words.ts';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Suspends an account once it was said what ends with it. */
export function SuspendUser({ user, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Suspend ${user.username}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <SuspendForm user={user} onClose={onClose} />
    </Modal>
  );
}

function SuspendForm({ user, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const show = useUserChange();
  const running = useQuery(trpc.workspaces.list.queryOptions({ q: `owner:${user.username} status:running`, limit: 5 }, { retry: false }));
  const keys = useQuery(trpc.tokens.listSessions.queryOptions({ user: user.id }, { retry: false }));
  const counts = keys.data === undefined ? undefined : credentialCounts(keys.data);
  const suspend = useMutation(
    trpc.users.suspend.mutationOptions({
      onSuccess: async (saved) => {
        await show(saved);
        notifyDone(`${saved.username} is suspended.`);
        onClose();
      },
    }),
  );
  return (
    <Stack>
      <Text size="sm">What happens at once:</Text>
      <List size="sm" spacing={4}>
        {endsSentences({
          sessions: counts?.session,
          tokens: counts === undefined ? undefined : counts.token + counts.app,
          running: running.data?.workspaces.map((workspace) => workspace.name),
          runningCount: running.data?.count,
        }).map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        Nothing is deleted. Roles, groups and workspaces are there again when you activate the account.
      </Text>
      <Refusal error={suspend.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red.8" loading={suspend.isPending} onClick={() => suspend.mutate({ user: user.id })}>
          Suspend
        </Button>
      </Group>
    </Stack>
  );
}
