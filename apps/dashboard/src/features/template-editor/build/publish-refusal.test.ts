import type { JobStatus } from '@berth/domain';
import { expect, test } from 'vitest';
import { publishRefusal } from './publish-refusal.ts';
import type { Version } from '../../template-versions/version-words.ts';

const version = (status: JobStatus) => ({ job: { status } as Version['job'] });

test('only what was imported just as it is now can be published', () => {
  expect(publishRefusal({ version: version('succeeded'), isStale: false, isSending: false })).toBe('');
});

test.each([
  ['nothing was built', { version: undefined, isStale: true, isSending: false }],
  ['files are on their way', { version: version('succeeded'), isStale: false, isSending: true }],
  ['the import runs', { version: version('running'), isStale: false, isSending: false }],
  ['the import failed', { version: version('failed'), isStale: false, isSending: false }],
  ['the import was cancelled', { version: version('canceled'), isStale: false, isSending: false }],
  ['files were changed since', { version: version('succeeded'), isStale: true, isSending: false }],
] as const)('it says why not when %s', (_, situation) => {
  expect(publishRefusal(situation)).not.toBe('');
});
