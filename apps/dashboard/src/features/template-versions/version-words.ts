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
      return job.error === '' ? 'Its import failed.' : job.error;
    case 'canceled':
      return 'Its import was cancelled.';
    case 'running':
    case 'canceling':
    case 'succeeded':
    case 'unknown':
      return '';
  }
}

/** Tags as people write them. */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  const shown = Object.entries(tags).filter(([, value]) => value !== '');
  return shown.length === 0 ? 'no tags' : shown.map(([name, value]) => `${name}=${value}`).join(', ');
}
