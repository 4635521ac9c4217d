import { isJobActive } from '@berth/domain';
import type { Version } from '../../template-versions/version-words.ts';

interface Situation {
  /** The version of the last build. */
  readonly version: Pick<Version, 'job'> | undefined;
  /** Whether files were changed after it. */
  readonly isStale: boolean;
  readonly isSending: boolean;
}

/** Why what is in the editor cannot be published now; empty when it can. */
export function publishRefusal({ version, isStale, isSending }: Situation): string {
  if (isSending) return 'The files are being sent.';
  if (version === undefined) return 'Build it first: only what was imported can be published.';
  if (isJobActive(version.job.status)) return 'The import is not over yet.';
  if (version.job.status !== 'succeeded') return 'The import failed. Mend the files and build again.';
  return isStale ? 'Files were changed after the last build. Build again.' : '';
}
