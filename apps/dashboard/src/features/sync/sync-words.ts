import type { Outputs } from '../../api/trpc.ts';

type Result = Outputs['idpSync']['dryRun'];
type Change = Result['organizations']['items'][number]['change'];
type Trace = Result['trace'][number];

export const CHANGE_LOOKS = {
  add: { sign: '+ ', color: 'green', words: 'is added' },
  create: { sign: '+ ', color: 'teal', words: 'is made and added' },
  keep: { sign: '', color: 'gray', words: 'stays' },
  remove: { sign: '− ', color: 'red', words: 'is taken away' },
} as const satisfies Record<Change, { sign: string; color: string; words: string }>;

export const OUTCOME_LOOKS = {
  given: { label: 'Given', color: 'green' },
  dropped: { label: 'Nothing', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
} as const satisfies Record<Trace['outcome'], { label: string; color: string }>;

export const KIND_WORDS = {
  organization: 'organization',
  group: 'group',
  organization_role: 'role',
  site_role: 'site role',
} as const satisfies Record<Trace['kind'], string>;

/** What a part of the sync did, in a sentence; `noun` is what it gives. A failed part says why itself. */
export function partSentence(
  part: { readonly status: Result['organizations']['status']; readonly field: string; readonly items: readonly unknown[] },
  noun: string,
): string {
  switch (part.status) {
    case 'off':
      return `Not synced: ${noun} stay as they are.`;
    case 'failed':
      return '';
    case 'applied':
      return part.items.length === 0 ? `By the claim ${part.field}: no ${noun}.` : `By the claim ${part.field}.`;
  }
}
