import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useBuildAction } from '../workspaces/use-build-action.ts';

/**
 * For links that lead here with `?start`, such as that of the page of an app whose workspace is stopped. Following a link must not change
 * anything, so this asks first.
 */
export function AskToStart({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const { start } = useSearch({ from: '/session/shell/@{$owner}/$name' });
  const navigate = useNavigate({ from: '/@{$owner}/$name' });
  const action = useBuildAction();
  const { status } = workspace.latest_build;
  const canStart = status !== 'running' && status !== 'deleted' && !isBuildActive(status) && workspace.dormant_at === null;
  const close = (): void => void navigate({ search: (search) => ({ ...search, start: undefined }), replace: true });
  return (
    <Modal
      opened={start !== undefined && canStart}
      onClose={close}
      title={`Start ${workspace.name}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">
          {workspace.owner_name}/{workspace.name} is not running. Start it to use its apps and terminals.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            data-autofocus
            loading={action.isPending}
            onClick={() => action.mutate({ workspace, transition: 'start' }, { onSettled: close })}
          >
            Start workspace
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
