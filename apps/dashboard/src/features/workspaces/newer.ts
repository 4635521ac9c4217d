import type { Workspace } from '@berth/api/contract/workspaces';
import type { JobStatus } from '@berth/domain';

/** How far a job has come. Statuses of one rank may follow each other in any order. */
const PROGRESS: Readonly<Record<JobStatus, number>> = {
  pending: 0,
  running: 1,
  canceling: 2,
  succeeded: 3,
  failed: 3,
  canceled: 3,
  unknown: 3,
};

/**
 * Of two states of one workspace, the later one: answers and news travel by different ways and may overtake each other. A later build
 * wins, then the one whose job has come further, then the one that arrived last.
 */
export function newer(known: Workspace | undefined, next: Workspace): Workspace {
  if (known === undefined || known.id !== next.id) return next;
  const before = known.latest_build;
  const after = next.latest_build;
  if (after.build_number !== before.build_number) return after.build_number > before.build_number ? next : known;
  return PROGRESS[after.job.status] < PROGRESS[before.job.status] ? known : next;
}
