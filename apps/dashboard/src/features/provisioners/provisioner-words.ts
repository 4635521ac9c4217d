import type { Outputs } from '../../api/trpc.ts';

export type Daemon = Outputs['provisionerDaemons']['list'][number];
export type ProvisionerKey = Outputs['provisionerKeys']['list'][number];

export const STATUS_LOOKS = {
  idle: { label: 'Idle', color: 'green', meaning: 'Waits for a job.' },
  busy: { label: 'At work', color: 'blue', meaning: 'Does as many jobs as it takes at a time.' },
  draining: { label: 'Leaving', color: 'orange', meaning: 'Finishes what it has and takes no more.' },
  offline: { label: 'Offline', color: 'gray', meaning: 'Not heard from in the last three minutes.' },
} as const satisfies Record<Daemon['status'], { label: string; color: string; meaning: string }>;

/** What a job of a daemon is, in words. */
export function jobWords(job: NonNullable<Daemon['current_job']>): string {
  switch (job.type) {
    case 'template_version_import':
      return 'an import';
    case 'workspace_build':
      return 'a build';
    case 'template_version_dry_run':
      return 'a dry run';
  }
}

/** Tags written one a line or with commas as `name=value`; null for a text that is something else. */
export function tagsOf(text: string): Record<string, string> | null {
  const parts = text
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const pairs = parts.map((part) => /^([^=\s]+)=(.*)$/.exec(part));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', (pair?.[2] ?? '').trim()]));
}
