import { isJobActive } from '@berth/domain';
import type { Outputs } from '../../api/trpc.ts';

export type Version = Outputs['templateVersions']['get'];

/** Newest first, as people look for them; the server lists the oldest first. */
export function newestFirst(versions: readonly Version[]): readonly Version[] {
  return versions.toReversed();
}

/** Why a version waits, or why it cannot be used; empty when nothing is wrong. */
export function importTrouble({ job, matched_provisioners: matched }: Pick<Version, 'job' | 'matched_provisioners'>): string {
  switch (job.status) {
    case 'pending':
      if (matched.count === 0) {
        return `No provisioner can take it. It needs one with ${tagsText(job.tags)} on a host that has what the template uses: Docker or Podman for containers, Terraform or OpenTofu for .tf files.`;
      }
      if (matched.available === 0) return 'The provisioners that could take it have not been heard from for a while.';
      return job.queue_position > 1
        ? `Waiting: number ${job.queue_position} of ${job.queue_size} in the queue.`
        : 'Waiting for a provisioner.';
    case 'failed':
      return job.error === '' ? 'The import failed.' : job.error;
    case 'canceled':
      return 'The import was canceled.';
    case 'running':
    case 'canceling':
    case 'succeeded':
    case 'unknown':
      return '';
  }
}

/** What a version waits for: its import, somebody who mends or promotes it, people who use it; nothing once it is behind. */
export type Step = 'importing' | 'failed' | 'promote' | 'use' | 'none';

export function stepOf(
  template: { readonly active_version_id: string; readonly deprecated: boolean },
  { id, archived, job }: Pick<Version, 'id' | 'archived' | 'job'>,
): Step {
  if (archived) return 'none';
  if (isJobActive(job.status)) return 'importing';
  if (job.status !== 'succeeded') return 'failed';
  if (id !== template.active_version_id) return 'promote';
  return template.deprecated ? 'none' : 'use';
}

/** Tags as people write them. */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  const shown = Object.entries(tags).filter(([, value]) => value !== '');
  return shown.length === 0 ? 'no tags' : shown.map(([name, value]) => `${name}=${value}`).join(', ');
}
