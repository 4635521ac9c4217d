import type { WorkspaceStatus } from '@berth/domain';

export interface StatusLook {
  readonly label: string;
  readonly color: string;
  /** Something is under way. */
  readonly isMoving: boolean;
}

/** How each status is shown: always with its word, never by colour alone. */
export const STATUS_LOOKS: Readonly<Record<WorkspaceStatus, StatusLook>> = {
  pending: { label: 'Pending', color: 'blue', isMoving: true },
  starting: { label: 'Starting', color: 'blue', isMoving: true },
  running: { label: 'Running', color: 'green', isMoving: false },
  stopping: { label: 'Stopping', color: 'blue', isMoving: true },
  stopped: { label: 'Stopped', color: 'gray', isMoving: false },
  failed: { label: 'Failed', color: 'red', isMoving: false },
  canceling: { label: 'Canceling', color: 'yellow', isMoving: true },
  canceled: { label: 'Canceled', color: 'gray', isMoving: false },
  deleting: { label: 'Deleting', color: 'orange', isMoving: true },
  deleted: { label: 'Deleted', color: 'gray', isMoving: false },
};
