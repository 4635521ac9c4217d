import { fit, widthOf } from './plain-text.ts';

const GAP = 2;
const COLUMN_MIN = 6;

export interface Table {
  readonly titles: readonly string[];
  /** Plain text, as many cells as there are titles. */
  readonly rows: readonly (readonly string[])[];
  /** Columns of the terminal; nothing is cut without it. */
  readonly width: number | undefined;
  readonly isBold: boolean;
}

/** The table as text. On a terminal the widest columns give way until a row fits a line. */
export function renderTable({ titles, rows, width, isBold }: Table): string {
  const natural = titles.map((title, index) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))));
  const widths = width === undefined ? natural : narrowed(natural, width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const room = widths[index] ?? 0;
        const shown = fit(cell, room);
        return index === cells.length - 1 ? shown : shown + ' '.repeat(room - widthOf(shown));
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = line(titles.map((title) => title.toUpperCase()));
  return [isBold ? `\u001b[1m${head}\u001b[22m` : head, ...rows.map(line), ''].join('\n');
}

function narrowed(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= COLUMN_MIN) break;
    widths[widths.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return widths;
}
