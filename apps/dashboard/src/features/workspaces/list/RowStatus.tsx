import type { Workspace } from '@berth/api/contract/workspaces';
import { IconMoon } from '@tabler/icons-react';
import { healthSentence } from '../situation.ts';
import { STATUS_LOOKS, stateOf } from '../status.ts';
import { StatusIcon } from '../StatusBadge.tsx';
import classes from './WorkspaceList.module.css';

const ICON = 12;

/** The state of a workspace in plain elements: hundreds of them scroll into view at once. */
export function RowStatus({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const state = stateOf(workspace);
  const { label, color } = STATUS_LOOKS[state];
  const problem = healthSentence(workspace);
  return (
    <div className={classes['badges']}>
      <Mark color={color} label={label} icon={<StatusIcon state={state} />} {...(problem === '' ? {} : { title: problem })} />
      {workspace.dormant_at !== null && <Mark color="violet" label="Dormant" icon={<IconMoon size={ICON} />} />}
    </div>
  );
}

interface MarkProps {
  readonly color: string;
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly title?: string;
}

function Mark({ color, label, icon, title }: MarkProps): React.JSX.Element {
  return (
    <span
      className={classes['mark']}
      style={{ background: `var(--mantine-color-${color}-light)`, color: `var(--mantine-color-${color}-light-color)` }}
      title={title}
    >
      {icon}
      {label}
    </span>
  );
}
