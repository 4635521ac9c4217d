/** What is selected, in the order in which it was, and where a range begins. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** The row that was selected or deselected last. */
  readonly anchor: number | null;
}

export function noSelection<Row>(): Selection<Row> {
  return { rows: new Map(), anchor: null };
}

/** How many may be worked on together. */
export const SELECTED_MAX = 1000;

/** Selects one, or takes it out again. */
export function toggled<Row extends { readonly id: string }>(selection: Selection<Row>, row: Row, index: number): Selection<Row> {
  const rows = new Map(selection.rows);
  if (!rows.delete(row.id) && rows.size < SELECTED_MAX) rows.set(row.id, row);
  return { rows, anchor: index };
}

/** Selects all of these besides; the range goes on from where it began. */
export function extended<Row extends { readonly id: string }>(selection: Selection<Row>, more: readonly Row[]): Selection<Row> {
  const rows = new Map(selection.rows);
  for (const row of more) if (rows.size < SELECTED_MAX || rows.has(row.id)) rows.set(row.id, row);
  return { ...selection, rows };
}

/** From the anchor to `index`, both included, in the order of the list; only `index` while there is no anchor. */
export function rangeTo(anchor: number | null, index: number): readonly [first: number, last: number] {
  const from = anchor ?? index;
  return [Math.min(from, index), Math.max(from, index)];
}
