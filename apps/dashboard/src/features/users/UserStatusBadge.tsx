import { Badge } from '@mantine/core';
import type { User } from './user-words.ts';
import { STATUS_LOOKS } from './user-words.ts';

export function UserStatusBadge({ status }: { status: User['status'] }): React.JSX.Element {
  const { label, color, meaning } = STATUS_LOOKS[status];
  return (
    <Badge color={color} title={meaning} miw="max-content">
      {label}
    </Badge>
  );
}
