import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import classes from './WorkspaceList.module.css';

export type Act = (workspace: Workspace, transition: 'start' | 'stop') => void;

/** The one action that makes sense from the list: stop what runs, start what does not. */
export function RowAction({ workspace, onAct }: { workspace: Workspace; onAct: Act }): React.JSX.Element | null {
  const { status } = workspace.latest_build;
  if (status === 'deleted') return null;
  const transition = status === 'running' || status === 'starting' ? 'stop' : 'start';
  const label = `${transition === 'stop' ? 'Stop' : 'Start'} ${workspace.name}`;
  return (
    <button
      type="button"
      className={classes['action']}
      aria-label={label}
      title={isBuildActive(status) ? 'A build is under way' : workspace.dormant_at === null ? label : 'Dormant: activate it first'}
      disabled={isBuildActive(status) || workspace.dormant_at !== null}
      onClick={() => onAct(workspace, transition)}
    >
      {transition === 'stop' ? <IconPlayerStop size={16} /> : <IconPlayerPlay size={16} />}
    </button>
  );
}
