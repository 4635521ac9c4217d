import { useMutation } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { reportFailure } from '../../api/session-expiry.ts';
import { client, trpc } from '../../api/trpc.ts';
import type { AuditLog } from './audit-words.ts';
import type { AuditSlice } from './live-rows.ts';
import { freshRows, withFresh } from './live-rows.ts';

/** Read at a time; more than that at once begins the page anew. */
const READ_ROWS = 100;

interface Options {
  /** The input of the page that is shown, which must be the newest one. */
  readonly input: { readonly q: string; readonly limit: number };
  readonly isOn: boolean;
  /** Whether new rows may be put in at once: nobody reads anything that they would move. */
  readonly mayShow: () => boolean;
}

interface LiveTail {
  /** New rows that wait to be shown. */
  readonly waiting: number;
  /** Puts them in. */
  readonly show: () => void;
  /** The ids of the rows that came last, to be set off. */
  readonly arrived: ReadonlySet<string>;
}

interface State {
  /** Of which search. */
  readonly of: string;
  readonly slice: AuditSlice | null;
  readonly arrived: ReadonlySet<string>;
}

const NOTHING: State = { of: '', slice: null, arrived: new Set() };

/** Keeps the newest page current: new rows are put in at its top at once, or wait until they are asked for. */
export function useLiveTail({ input, isOn, mayShow }: Options): LiveTail {
  const key = trpc.audit.page.queryKey(input);
  const id = JSON.stringify([input.q, isOn]);
  const [state, setState] = useState(NOTHING);
  // Another search has its own rows.
  const { slice, arrived } = state.of === id ? state : NOTHING;
  const shown = (): readonly AuditLog[] => queryClient.getQueryData(key)?.audit_logs ?? [];
  const put = (newest: AuditSlice): void => {
    const fresh = freshRows(newest, shown());
    queryClient.setQueryData(key, (before) => (before === undefined ? before : withFresh(before, newest)));
    setState({ of: id, slice: null, arrived: new Set(fresh.map((row) => row.id)) });
  };
  // One after the other, so that the last one knows of all news.
  const read = useMutation({
    scope: { id: 'audit-tail' },
    mutationFn: () => client.audit.page.query({ q: input.q, limit: READ_ROWS }),
    onSuccess: (newest) => {
      if (queryClient.getQueryData(key) === undefined || freshRows(newest, shown()).length === 0) return;
      if (mayShow()) put(newest);
      else setState({ of: id, slice: newest, arrived });
    },
    onError: reportFailure,
  });
  useSubscription(
    trpc.audit.watch.subscriptionOptions(undefined, {
      enabled: isOn,
      // The stream tells of changes only.
      onStarted: () => read.mutate(),
      onData: () => read.mutate(),
      onError: reportFailure,
    }),
  );
  return {
    waiting: slice === null ? 0 : freshRows(slice, shown()).length,
    show: () => {
      if (slice !== null) put(slice);
    },
    arrived,
  };
}
