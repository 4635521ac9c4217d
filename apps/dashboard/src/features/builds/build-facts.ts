import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { BuildReason } from '@berth/domain';
import { duration } from '../../ui/relative-time.ts';

const REASONS: Readonly<Record<Exclude<BuildReason, 'initiator'>, string>> = {
  autostart: 'schedule (autostart)',
  autostop: 'schedule (autostop)',
  dormancy: 'dormancy',
  failedstop: 'clean-up after a failure',
  autodelete: 'automatic deletion',
};

/** Who or what began a build. */
export function reasonText(build: Pick<WorkspaceBuild, 'reason' | 'initiator_name'>): string {
  return build.reason === 'initiator' ? build.initiator_name : REASONS[build.reason];
}

/** How long a build worked; a dash while it waits or works. */
export function buildTook({ job }: Pick<WorkspaceBuild, 'job'>): string {
  if (job.started_at === null || job.completed_at === null) return '–';
  return duration(Date.parse(job.completed_at) - Date.parse(job.started_at));
}
