import { useDeferredValue, useMemo, useState } from 'react';
import type { LogFilter, LogRow, ShownLine } from './log-lines.ts';
import { matchesOf, rowsOf, stagesOf } from './log-lines.ts';

export const ALL_LINES: LogFilter = { floor: 'trace', stage: null };

export interface LogRows {
  readonly rows: readonly LogRow[];
  readonly stages: readonly string[];
  readonly filter: LogFilter;
  readonly setFilter: (filter: LogFilter) => void;
  /** As it is typed, */
  readonly text: string;
  /** and as the matches are of, which follow when there is time. */
  readonly searched: string;
  readonly setText: (text: string) => void;
  /** Places in `rows`. */
  readonly matches: readonly number[];
  /** Which of the matches is looked at, from 0. */
  readonly current: number;
  readonly setCurrent: (current: number) => void;
}

/** What is shown of a log: filtered, under headings, and what was found in it. */
export function useLogRows(lines: readonly ShownLine[], measured: ReadonlyMap<string, number>): LogRows {
  const [filter, setFilter] = useState(ALL_LINES);
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(text);
  const rows = useMemo(() => rowsOf(lines, filter, measured), [lines, filter, measured]);
  const stages = useMemo(() => stagesOf(lines), [lines]);
  const matches = useMemo(() => matchesOf(rows, searched), [rows, searched]);
  return { rows, stages, filter, setFilter, text, searched, setText, matches, current, setCurrent };
}
