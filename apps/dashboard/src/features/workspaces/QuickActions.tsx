import { ActionIcon, Tooltip } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useBuildAction } from './use-build-action.ts';

/** The one action that makes sense from the list: stop what runs, start what does not. */
export function QuickActions({ workspace }: { workspace: Workspace }): React.JSX.Element | null {
  const action = useBuildAction();
  const { status } = workspace.latest_build;
  if (status === 'deleted') return null;
  const transition = status === 'running' || status === 'starting' ? 'stop' : 'start';
  const label = `${transition === 'stop' ? 'Stop' : 'Start'} ${workspace.name}`;
  return (
    <Tooltip label={isBuildActive(status) ? 'A build is under way' : label}>
      <ActionIcon
        variant="default"
        size={34}
        aria-label={label}
        disabled={isBuildActive(status) || workspace.dormant_at !== null}
        loading={action.isPending}
        onClick={() => action.mutate({ workspace, transition })}
      >
        {transition === 'stop' ? <IconPlayerStop size={16} /> : <IconPlayerPlay size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
