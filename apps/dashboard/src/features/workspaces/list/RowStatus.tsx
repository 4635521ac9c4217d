import type { Workspace } from '@berth/api/contract/workspaces';
import { Badge, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconMoon } from '@tabler/icons-react';
import { healthSentence } from '../situation.ts';
import { StatusBadge } from '../StatusBadge.tsx';
import classes from './WorkspaceList.module.css';

export function RowStatus({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const problem = healthSentence(workspace);
  return (
    <div className={classes['badges']}>
      <StatusBadge status={workspace.latest_build.status} />
      {problem !== '' && (
        <Tooltip label={problem} multiline maw={280}>
          <Badge color="orange" leftSection={<IconAlertTriangle size={12} />} tabIndex={0} className={classes['problem']}>
            Unhealthy
          </Badge>
        </Tooltip>
      )}
      {workspace.dormant_at !== null && (
        <Badge color="violet" leftSection={<IconMoon size={12} />}>
          Dormant
        </Badge>
      )}
    </div>
  );
}
