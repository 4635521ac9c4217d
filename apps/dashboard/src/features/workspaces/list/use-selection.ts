import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyFailure } from '../../../ui/notify.ts';
import type { Selection } from './selection.ts';
import { SELECTED_MAX, extended, noSelection, rangeTo, toggled } from './selection.ts';
import type { Listed } from './page-options.ts';
import { loadRows } from './use-rows.ts';

export interface SelectionActions {
  readonly selection: Selection<Workspace>;
  /** Selects or deselects one row; as a range, selects all from the one before to this one. */
  readonly select: (row: Workspace, index: number, isRange: boolean) => void;
  readonly selectAll: (count: number) => void;
  readonly clear: () => void;
  /** Rows of a range or of all are on their way. */
  readonly isLoading: boolean;
}

/** What something will be done with together. It ends with its search: nobody acts on what they do not see any more. */
export function useSelection(listed: Listed): SelectionActions {
  const [selection, setSelection] = useState<Selection<Workspace>>(noSelection);
  const [q, setQ] = useState(listed.q);
  if (q !== listed.q) {
    setQ(listed.q);
    setSelection(noSelection());
  }
  const load = useMutation({
    mutationFn: ([first, last]: readonly [number, number]) => loadRows(listed, first, last),
    onSuccess: (rows) => setSelection((before) => extended(before, rows)),
    onError: (error) => notifyFailure('The workspaces could not be selected', error),
  });
  return {
    selection,
    select: (row, index, isRange) => {
      if (isRange && selection.anchor !== null) load.mutate(rangeTo(selection.anchor, index));
      else setSelection((before) => toggled(before, row, index));
    },
    selectAll: (count) => load.mutate([0, Math.min(count, SELECTED_MAX) - 1]),
    clear: () => setSelection(noSelection()),
    isLoading: load.isPending,
  };
}
