import { Badge, Loader } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconAlertTriangle, IconBan, IconCheck, IconPlayerPause, IconTrash, IconX } from '@tabler/icons-react';
import type { WorkspaceState } from './status.ts';
import { STATUS_LOOKS, stateOf } from './status.ts';

const ICON = 12;

/** The icon of a state; it turns while something is under way. */
export function StatusIcon({ state }: { state: WorkspaceState }): React.ReactNode {
  switch (state) {
    case 'running':
      return <IconCheck size={ICON} stroke={3} />;
    case 'unhealthy':
      return <IconAlertTriangle size={ICON} />;
    case 'failed':
      return <IconX size={ICON} stroke={3} />;
    case 'canceled':
      return <IconBan size={ICON} />;
    case 'stopped':
      return <IconPlayerPause size={ICON} />;
    case 'deleted':
      return <IconTrash size={ICON} />;
    case 'pending':
    case 'starting':
    case 'stopping':
    case 'canceling':
    case 'deleting':
      return <Loader size={10} color="currentColor" />;
  }
}

interface Props {
  readonly workspace: Pick<Workspace, 'health' | 'latest_build'>;
  readonly size?: 'md' | 'lg';
}

export function StatusBadge({ workspace, size = 'md' }: Props): React.JSX.Element {
  const state = stateOf(workspace);
  const { label, color } = STATUS_LOOKS[state];
  return (
    <Badge color={color} size={size} leftSection={<StatusIcon state={state} />} miw="max-content">
      {label}
    </Badge>
  );
}
