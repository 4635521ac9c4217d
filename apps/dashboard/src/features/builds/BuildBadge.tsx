import { Badge, Loader } from '@mantine/core';
import type { JobStatus } from '@berth/domain';
import { IconBan, IconCheck, IconClock, IconX } from '@tabler/icons-react';

const LOOKS: Readonly<Record<JobStatus, { label: string; color: string; icon: React.ReactNode }>> = {
  pending: { label: 'Waiting', color: 'blue', icon: <IconClock size={12} /> },
  running: { label: 'At work', color: 'blue', icon: <Loader size={10} color="currentColor" /> },
  succeeded: { label: 'Succeeded', color: 'green', icon: <IconCheck size={12} stroke={3} /> },
  canceling: { label: 'Canceling', color: 'yellow', icon: <Loader size={10} color="currentColor" /> },
  canceled: { label: 'Canceled', color: 'gray', icon: <IconBan size={12} /> },
  failed: { label: 'Failed', color: 'red', icon: <IconX size={12} stroke={3} /> },
  unknown: { label: 'Unknown', color: 'gray', icon: null },
};

/** How a build went. The status of a workspace says what is; this says what was. */
export function BuildBadge({ status, size = 'md' }: { status: JobStatus; size?: 'md' | 'lg' }): React.JSX.Element {
  const { label, color, icon } = LOOKS[status];
  return (
    <Badge color={color} size={size} leftSection={icon} miw="max-content">
      {label}
    </Badge>
  );
}
