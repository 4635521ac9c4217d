/** The list is long and arrives by pages; what is not here yet is asked for when it comes into sight. */

export const PAGE_ROWS = 100;

/** The pages that hold the rows from `first` to `last`, both included. */
export function pagesOf(first: number, last: number): number[] {
  const from = Math.max(0, Math.floor(first / PAGE_ROWS));
  const to = Math.max(from, Math.floor(last / PAGE_ROWS));
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The row at an index, of the pages that are here. */
export function rowAt<Row>(pages: ReadonlyMap<number, readonly Row[]>, index: number): Row | undefined {
  return pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}
