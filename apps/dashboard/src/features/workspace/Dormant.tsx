import { Alert, Button, Group, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconMoon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

/** Says that a workspace sleeps and when it goes for good, and wakes it up. */
export function Dormant({ workspace }: { workspace: Workspace }): React.JSX.Element | null {
  const wake = useMutation(
    trpc.workspaces.updateDormancy.mutationOptions({
      onSuccess: (awake) => {
        storeWorkspace(awake);
        notifyDone(`${awake.name} is awake, and can be started.`);
      },
      onError: (error) => notifyFailure(`${workspace.name} could not be woken up`, error),
    }),
  );
  if (workspace.dormant_at === null) return null;
  return (
    <Alert color="violet" icon={<IconMoon />} title="This workspace is dormant">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          It was last used <When at={workspace.last_used_at} />.{' '}
          {workspace.deleting_at === null ? (
            'Its files are kept.'
          ) : (
            <>
              It is deleted <When at={workspace.deleting_at} />, with its files.
            </>
          )}
        </Text>
        <Button size="xs" loading={wake.isPending} onClick={() => wake.mutate({ workspace: workspace.id, dormant: false })}>
          Wake it up
        </Button>
      </Group>
    </Alert>
  );
}
