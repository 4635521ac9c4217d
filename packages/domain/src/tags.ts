/** What a provisioner job needs and a daemon offers. Always has `scope` and `owner` once normalised. */
export type ProvisionerTags = Readonly<Record<string, string>>;

const ORGANIZATION = { scope: 'organization', owner: '' } as const;

/**
 * The tags with `scope` and `owner` made consistent: scope `user` belongs to `userId`; every other scope means the organization, which
 * has no owner.
 */
export function normalizeTags(tags: ProvisionerTags, userId: string): ProvisionerTags {
  return tags['scope'] === 'user' ? { ...tags, scope: 'user', owner: userId } : { ...tags, ...ORGANIZATION };
}

/** Why tags are refused, or null. */
export function tagsProblem(tags: ProvisionerTags): string | null {
  const hasNul = Object.entries(tags).some(([key, value]) => key.includes('\0') || value.includes('\0'));
  return hasNul ? 'Tags must not contain NUL characters.' : null;
}

/**
 * Whether a daemon may take a job: it has all the job's tags. A job without any of its own goes only to daemons without any, so
 * that a special daemon is kept for those who ask for it.
 */
export function tagsMatch(jobTags: ProvisionerTags, daemonTags: ProvisionerTags): boolean {
  const isSubset = Object.entries(jobTags).every(([key, value]) => daemonTags[key] === value);
  return isSubset && (!isUntagged(jobTags) || isUntagged(daemonTags));
}

/** Whether the tags say nothing beyond "any job of the organization". */
export function isUntagged(tags: ProvisionerTags): boolean {
  return Object.keys(tags).length === 2 && tags['scope'] === ORGANIZATION.scope && tags['owner'] === ORGANIZATION.owner;
}
