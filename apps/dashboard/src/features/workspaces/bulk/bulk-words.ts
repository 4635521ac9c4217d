import { counted } from '@berth/core';

export type BulkAction = 'start' | 'stop' | 'update' | 'delete';

interface Words {
  /** On the button and in the heading. */
  readonly verb: string;
  /** Of one workspace, before it is done. */
  readonly will: string;
  /** Of a number of them, before it is done. */
  readonly due: string;
  /** Of one workspace, while its build is under way. */
  readonly does: string;
  /** Of one workspace, once its build has ended well. */
  readonly did: string;
  /** Of one that is so already. */
  readonly unchanged: string;
}

export const BULK_WORDS: Readonly<Record<BulkAction, Words>> = {
  start: { verb: 'Start', will: 'will start', due: 'to start', does: 'is starting', did: 'runs', unchanged: 'runs already' },
  stop: { verb: 'Stop', will: 'will stop', due: 'to stop', does: 'is stopping', did: 'is stopped', unchanged: 'is stopped already' },
  update: {
    verb: 'Update',
    will: 'will start on the active version',
    due: 'to update',
    does: 'is starting on the active version',
    did: 'runs on the active version',
    unchanged: 'is up to date',
  },
  delete: {
    verb: 'Delete',
    will: 'will be deleted with its files',
    due: 'to delete',
    does: 'is being deleted',
    did: 'is deleted',
    unchanged: 'is deleted already',
  },
};

/** "3 workspaces", "10,000 workspaces". */
export function countWords(count: number): string {
  return counted(count, 'workspace');
}
