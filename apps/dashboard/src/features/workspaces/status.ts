import type { Workspace } from '@berth/api/contract/workspaces';
import type { WorkspaceStatus } from '@berth/domain';

/** What a badge says of a workspace: the status of its last build, or that it runs and an agent of it is unhealthy. */
export type WorkspaceState = WorkspaceStatus | 'unhealthy';

export interface StatusLook {
  readonly label: string;
  readonly color: string;
  /** Something is under way. */
  readonly isMoving: boolean;
}

/** How each state is shown: always with its label, never by color alone. */
export const STATUS_LOOKS: Readonly<Record<WorkspaceState, StatusLook>> = {
  pending: { label: 'Pending', color: 'blue', isMoving: true },
  starting: { label: 'Starting', color: 'blue', isMoving: true },
  running: { label: 'Running', color: 'green', isMoving: false },
  unhealthy: { label: 'Unhealthy', color: 'orange', isMoving: false },
  stopping: { label: 'Stopping', color: 'blue', isMoving: true },
  stopped: { label: 'Stopped', color: 'gray', isMoving: false },
  failed: { label: 'Failed', color: 'red', isMoving: false },
  canceling: { label: 'Canceling', color: 'yellow', isMoving: true },
  canceled: { label: 'Canceled', color: 'gray', isMoving: false },
  deleting: { label: 'Deleting', color: 'orange', isMoving: true },
  deleted: { label: 'Deleted', color: 'gray', isMoving: false },
};

/** The one state that every list, page and menu shows for a workspace. */
export function stateOf({ health, latest_build: build }: Pick<Workspace, 'health' | 'latest_build'>): WorkspaceState {
  return build.status === 'running' && !health.healthy ? 'unhealthy' : build.status;
}
