import type { BulkResult } from '@berth/api/contract/workspaces';

export type BulkAction = 'start' | 'stop' | 'update' | 'delete';

interface Words {
  /** On the button and in the heading. */
  readonly verb: string;
  /** Of one workspace, before it is done. */
  readonly will: string;
  /** Of one workspace, once its build is queued. */
  readonly does: string;
  /** Of one that is so already. */
  readonly unchanged: string;
}

export const BULK_WORDS: Readonly<Record<BulkAction, Words>> = {
  start: { verb: 'Start', will: 'will start', does: 'starts', unchanged: 'runs already' },
  stop: { verb: 'Stop', will: 'will stop', does: 'stops', unchanged: 'is stopped already' },
  update: { verb: 'Update', will: 'will start on the active version', does: 'starts on the active version', unchanged: 'is up to date' },
  delete: { verb: 'Delete', will: 'will be deleted with its files', does: 'is being deleted', unchanged: 'is deleted already' },
};

/** What comes of one workspace, in words. */
export function resultWords(action: BulkAction, result: BulkResult, isPreview: boolean): string {
  const words = BULK_WORDS[action];
  switch (result.status) {
    case 'ok':
      return isPreview ? words.will : words.does;
    case 'unchanged':
      return words.unchanged;
    case 'refused':
      return result.error?.message ?? 'was refused';
  }
}

/** "3 workspaces", "10,000 workspaces". */
export function countWords(count: number): string {
  return count === 1 ? '1 workspace' : `${count.toLocaleString('en')} workspaces`;
}
