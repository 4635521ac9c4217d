import { fit, widthOf } from './plain-text.ts';

const GAP = 2;
/** Columns of a table are cut to this width before one is left out; the first column only to the second one. */
const READABLE = 16;
const READABLE_FIRST = 40;
const COLUMN_MIN = 6;

export interface TableColumn {
  readonly title: string;
  /** Plain text, one for each row. */
  readonly cells: readonly string[];
  /** The least important one is left out first where a terminal is too narrow for all; the first column stays. */
  readonly importance: number;
}

export interface Table {
  readonly columns: readonly TableColumn[];
  /** Columns of the terminal; nothing is cut without it. */
  readonly width: number | undefined;
  readonly isBold: boolean;
}

/** The table as text. On a terminal a row fits a line: long cells are cut, and when that is not enough, columns are left out. */
export function renderTable({ columns, width, isBold }: Table): { readonly text: string; readonly omitted: readonly string[] } {
  const shown = width === undefined ? columns : fitting(columns, width);
  const natural = shown.map(naturalWidth);
  const widths = width === undefined ? natural : narrowed(natural, width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const room = widths[index] ?? 0;
        const text = fit(cell, room);
        return index === cells.length - 1 ? text : text + ' '.repeat(room - widthOf(text));
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = line(shown.map(({ title }) => title.toUpperCase()));
  const rows = (columns[0]?.cells ?? []).map((_, row) => line(shown.map(({ cells }) => cells[row] ?? '')));
  return {
    text: [isBold ? `\u001b[1m${head}\u001b[22m` : head, ...rows, ''].join('\n'),
    omitted: columns.filter((column) => !shown.includes(column)).map(({ title }) => title),
  };
}

function naturalWidth({ title, cells }: TableColumn): number {
  return Math.max(widthOf(title), ...cells.map(widthOf));
}

/** The most important columns that fit while all can be read; at least the first. */
function fitting(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  let shown = columns;
  while (shown.length > 1 && total(readableWidths(shown.map(naturalWidth))) > width) {
    const [, ...others] = shown;
    const least = Math.min(...others.map(({ importance }) => importance));
    const last = others.findLast(({ importance }) => importance === least);
    shown = shown.filter((column) => column !== last);
  }
  return shown;
}

function readableWidths(natural: readonly number[]): readonly number[] {
  return natural.map((width, index) => Math.min(width, index === 0 ? READABLE_FIRST : READABLE));
}

/** The widest columns are cut first, none below what can be read unless there is no other way. */
function narrowed(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  for (const floors of [readableWidths(natural), natural.map(() => COLUMN_MIN)]) {
    while (total(widths) > width) {
      const spare = widths.map((one, index) => (one > (floors[index] ?? 0) ? one : 0));
      const widest = Math.max(...spare);
      if (widest === 0) break;
      widths[spare.indexOf(widest)] = widest - 1;
    }
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}
