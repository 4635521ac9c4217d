import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { Draft } from './draft/draft.ts';
import { changedPaths } from './draft/draft.ts';
import type { DraftKey } from './draft/kept-draft.ts';
import { forgetDraft, keepDraft, keptDraft } from './draft/kept-draft.ts';

const KEEP_AFTER_MS = 400;

/** `no-room`: what was typed is only in this page. */
export type Keeping = 'kept' | 'no-room';

export interface KeptWork {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  /** When the work that was found on this device was typed; undefined when none was. */
  readonly restoredAt: number | undefined;
  readonly keeping: Keeping;
  /** Begins again with the files of the version. */
  readonly discard: () => void;
  /** Leaves nothing on the device. */
  readonly forget: () => void;
  /** What the restored notice is closed with. */
  readonly dismiss: () => void;
}

/** The draft of a version, kept on this device while somebody works on it. */
export function useKeptDraft(key: DraftKey, base: Draft): KeptWork {
  const [found] = useState(() => keptDraft(localStorage, key, base));
  const [draft, setDraft] = useState(found?.draft ?? base);
  const [restoredAt, setRestoredAt] = useState(found?.savedAt);
  const [keeping, setKeeping] = useState<Keeping>('kept');
  const keepSoon = useDebouncedCallback(
    (next: Draft) => {
      if (changedPaths(base, next).size === 0) forgetDraft(localStorage, key);
      else setKeeping(keepDraft(localStorage, key, { base, draft: next, now: Date.now() }) ? 'kept' : 'no-room');
    },
    { delay: KEEP_AFTER_MS, flushOnUnmount: true },
  );
  return {
    draft,
    setDraft: (next) => {
      setDraft(next);
      keepSoon(next);
    },
    restoredAt,
    keeping,
    discard: () => {
      keepSoon.cancel();
      forgetDraft(localStorage, key);
      setDraft(base);
      setRestoredAt(undefined);
    },
    forget: () => {
      keepSoon.cancel();
      forgetDraft(localStorage, key);
    },
    dismiss: () => setRestoredAt(undefined),
  };
}
