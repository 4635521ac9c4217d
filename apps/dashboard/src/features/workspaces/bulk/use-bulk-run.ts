import type { BulkResult, Workspace } from '@berth/api/contract/workspaces';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useState } from 'react';
import { problemOf } from '../../../api/errors.ts';
import { client, trpc } from '../../../api/trpc.ts';
import { refreshLists } from '../workspace-cache.ts';
import type { BulkItem } from './bulk-progress.ts';
import { answered, asked, chunksOf, heard, itemsOf, previewed, unanswered } from './bulk-progress.ts';
import type { BulkAction } from './bulk-words.ts';

/** As many as one request takes. */
const PREVIEW_CHUNK = 100;
/** Fewer, so that answers come in while the others wait. */
const ACT_CHUNK = 20;

export interface BulkRun {
  readonly items: readonly BulkItem[];
  /** Why what would happen could not be worked out; null while nothing is wrong. */
  readonly previewError: unknown;
  readonly isPreviewed: boolean;
  readonly isActing: boolean;
  readonly previewAgain: () => void;
  /** Does it with these, a few at a time; each gets its own answer, and what comes of its build is heard until the dialog closes. */
  readonly act: (ids: readonly string[]) => Promise<void>;
}

/** A bulk change from what would happen to what became of each workspace. */
export function useBulkRun(action: BulkAction, chosen: readonly Workspace[]): BulkRun {
  const [items, setItems] = useState(() => itemsOf(chosen));
  const [previewError, setPreviewError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const [isActing, setIsActing] = useState(false);
  const [ids] = useState(() => chosen.map(({ id }) => id));

  useEffect(() => {
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      for (const chunk of chunksOf(ids, PREVIEW_CHUNK)) {
        const { results } = await client.workspaces.bulk.mutate({ workspace_ids: chunk, action, dry_run: true }, { signal: abort.signal });
        if (abort.signal.aborted) return;
        setItems((before) => previewed(before, results));
      }
    };
    look().catch((error: unknown) => {
      if (!abort.signal.aborted) setPreviewError(error);
    });
    return () => abort.abort();
  }, [action, ids, tries]);

  useSubscription(
    trpc.workspaces.watchList.subscriptionOptions(undefined, { onData: (change) => setItems((before) => heard(before, change)) }),
  );

  const act = async (wanted: readonly string[]): Promise<void> => {
    setIsActing(true);
    setItems((before) => asked(before, wanted));
    for (const chunk of chunksOf(wanted, ACT_CHUNK)) {
      const results = await ask(action, chunk);
      setItems((before) => answered(before, results));
    }
    setIsActing(false);
    await refreshLists();
  };

  return {
    items,
    previewError,
    isPreviewed: items.every(({ preview }) => preview !== undefined),
    isActing,
    previewAgain: () => {
      setPreviewError(null);
      setTries((before) => before + 1);
    },
    act,
  };
}

/** A request that fails is the answer for all that it was about: they may be tried again. */
async function ask(action: BulkAction, ids: readonly string[]): Promise<readonly BulkResult[]> {
  try {
    return (await client.workspaces.bulk.mutate({ workspace_ids: [...ids], action })).results;
  } catch (error) {
    return unanswered(ids, problemOf(error).message);
  }
}
