import type { TemplateVersion } from '@berth/api/contract/template-versions';

/** Why a job is still pending; empty when it is not. */
export function whyPending(
  subject: 'import' | 'dry run',
  { job, matched_provisioners: { count, available } }: Pick<TemplateVersion, 'job' | 'matched_provisioners'>,
): string {
  if (job.status !== 'pending') return '';
  if (count === 0) return `No provisioner can take this ${subject}${needsOf(job.tags)}.`;
  if (available === 0) {
    return count === 1
      ? `The only provisioner that can take this ${subject} is offline.`
      : `All ${count} provisioners that can take this ${subject} are offline.`;
  }
  const ahead = job.queue_position - 1;
  if (ahead > 0) return ahead === 1 ? `1 job is ahead of this ${subject}.` : `${ahead} jobs are ahead of this ${subject}.`;
  return `Waiting for a provisioner to take this ${subject}.`;
}

/** The tags that a person has given; the server adds `scope` and `owner`. */
function needsOf(tags: Readonly<Record<string, string>>): string {
  const own = Object.entries(tags)
    .filter(([key, value]) => !(key === 'owner' && value === '') && !(key === 'scope' && value === 'organization'))
    .map(([key, value]) => `${key}=${value}`)
    .toSorted();
  if (own.length === 0) return '';
  return `: it needs one with the ${own.length === 1 ? 'tag' : 'tags'} ${own.join(', ')}`;
}
