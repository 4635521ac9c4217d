import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { IconArrowUp, IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useBuildAction } from '../workspaces/use-build-action.ts';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { useRestart } from './use-restart.ts';

/** Start, stop, restart, update and delete; nothing of it while a build is under way. */
export function WorkspaceActions({ workspace }: { workspace: Workspace }): React.JSX.Element | null {
  const action = useBuildAction();
  const restart = useRestart();
  const [isDeleting, deletion] = useDisclosure(false);
  const { status } = workspace.latest_build;
  if (status === 'deleted') return null;
  const isBusy = isBuildActive(status) || action.isPending || restart.isPending;
  const isRunning = status === 'running';
  return (
    <>
      {isRunning ? (
        <>
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            disabled={isBusy}
            onClick={() => action.mutate({ workspace, transition: 'stop' })}
          >
            Stop
          </Button>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            disabled={isBusy}
            loading={restart.isPending}
            onClick={() => restart.mutate(workspace)}
            visibleFrom="xs"
          >
            Restart
          </Button>
        </>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          disabled={isBusy || workspace.dormant_at !== null}
          onClick={() => action.mutate({ workspace, transition: 'start' })}
        >
          Start
        </Button>
      )}
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isRunning && (
            <Menu.Item hiddenFrom="xs" leftSection={<IconRefresh size={16} />} disabled={isBusy} onClick={() => restart.mutate(workspace)}>
              Restart
            </Menu.Item>
          )}
          {!isRunning && (
            <Menu.Item
              leftSection={<IconPlayerStop size={16} />}
              disabled={isBusy}
              onClick={() => action.mutate({ workspace, transition: 'stop' })}
            >
              Stop
            </Menu.Item>
          )}
          {workspace.outdated && (
            <Menu.Item
              leftSection={<IconArrowUp size={16} />}
              disabled={isBusy || workspace.dormant_at !== null}
              onClick={() => action.mutate({ workspace, transition: 'start', update: true })}
            >
              Update and start
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} disabled={isBusy} onClick={deletion.open}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteWorkspace workspace={workspace} isOpen={isDeleting} onClose={deletion.close} />
    </>
  );
}
