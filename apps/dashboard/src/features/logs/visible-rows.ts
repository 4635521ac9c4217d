import { type Range, defaultRangeExtractor } from '@tanstack/react-virtual';
import type { LogRow } from './log-lines.ts';

/** The rows to draw: those that are seen, and the heading under which the first of them stands. */
export function withHeadingOf(rows: readonly LogRow[]): (range: Range) => number[] {
  return (range) => {
    const indexes = defaultRangeExtractor(range);
    for (let index = Math.min(range.startIndex, rows.length - 1); index >= 0; index -= 1) {
      if (rows[index]?.kind !== 'heading') continue;
      return indexes.includes(index) ? indexes : [index, ...indexes];
    }
    return indexes;
  };
}
