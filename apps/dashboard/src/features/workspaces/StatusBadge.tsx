import { Badge, Loader } from '@mantine/core';
import type { WorkspaceStatus } from '@berth/domain';
import { IconBan, IconCheck, IconPlayerPause, IconTrash, IconX } from '@tabler/icons-react';
import { STATUS_LOOKS } from './status.ts';

const ICON = 12;

/** The sign of a status; one that is moving turns. */
export function StatusIcon({ status }: { status: WorkspaceStatus }): React.ReactNode {
  switch (status) {
    case 'running':
      return <IconCheck size={ICON} stroke={3} />;
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

export function StatusBadge({ status, size = 'md' }: { status: WorkspaceStatus; size?: 'md' | 'lg' }): React.JSX.Element {
  const { label, color } = STATUS_LOOKS[status];
  return (
    <Badge color={color} size={size} leftSection={<StatusIcon status={status} />} miw="max-content">
      {label}
    </Badge>
  );
}
