import type { LogLevel } from '@berth/domain';
import { plainText } from './plain-text.ts';

/** A line as it is shown, whatever log it is from. */
export interface ShownLine {
  readonly id: number;
  readonly at: string;
  readonly level: LogLevel;
  /** Without colours and cursor moves: what is searched, copied and kept. */
  readonly text: string;
  /** As the program wrote it, where it wrote colours. */
  readonly colored: string | undefined;
  /** The heading under which the line stands; empty for none. */
  readonly stage: string;
}

/** What a log holds of a line, under whatever names. */
export interface WrittenLine {
  readonly id: number;
  readonly at: string;
  readonly level: LogLevel;
  readonly output: string;
  readonly stage: string;
}

export function shownLine({ output, ...line }: WrittenLine): ShownLine {
  return { ...line, text: plainText(output), colored: hasColours(output) ? output : undefined };
}

/** What a list of rows shows: a heading where a stage begins, and the lines. */
export type LogRow =
  | { readonly kind: 'heading'; readonly key: string; readonly stage: string; readonly tookMs: number | null; readonly hasErrors: boolean }
  | { readonly kind: 'line'; readonly key: string; readonly number: number; readonly line: ShownLine };

/** The least level that is shown. */
export const LOG_FLOORS = ['trace', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];
export type LogFloor = (typeof LOG_FLOORS)[number];

export interface LogFilter {
  readonly floor: LogFloor;
  /** Only lines of this stage; null for all. */
  readonly stage: string | null;
}

const RANKS: Readonly<Record<LogLevel, number>> = { trace: 0, debug: 0, info: 1, warn: 2, error: 3 };

/**
 * The rows of a log: neighbouring lines of one stage under a heading, so that what was interleaved stays where it happened. Lines keep
 * their numbers, counted from 1, also when others are filtered out. A stage that comes once shows its measured time; others show the time
 * from their first line to their last, if there is any between them.
 */
export function rowsOf(
  lines: readonly ShownLine[],
  { floor, stage }: LogFilter,
  measured: ReadonlyMap<string, number> = new Map(),
): readonly LogRow[] {
  const rows: LogRow[] = [];
  const counts = new Map<string, number>();
  let heading: { at: number; index: number; hasErrors: boolean; last: ShownLine; first: ShownLine } | undefined;
  const close = (): void => {
    if (heading === undefined) return;
    const { first, last, hasErrors, index } = heading;
    const tookMs = Date.parse(last.at) - Date.parse(first.at) || null;
    counts.set(first.stage, (counts.get(first.stage) ?? 0) + 1);
    rows[index] = { kind: 'heading', key: `stage ${first.id}`, stage: first.stage, tookMs, hasErrors };
  };
  for (const [index, line] of lines.entries()) {
    if (RANKS[line.level] < RANKS[floor] || (stage !== null && line.stage !== stage)) continue;
    if (line.stage !== '' && (heading === undefined || heading.first.stage !== line.stage)) {
      close();
      heading = { at: index, index: rows.length, hasErrors: false, first: line, last: line };
      rows.push({ kind: 'heading', key: `stage ${line.id}`, stage: line.stage, tookMs: null, hasErrors: false });
    } else if (line.stage === '') {
      close();
      heading = undefined;
    }
    if (heading !== undefined) {
      heading.last = line;
      heading.hasErrors ||= line.level === 'error';
    }
    rows.push({ kind: 'line', key: `${line.id}`, number: index + 1, line });
  }
  close();
  return rows.map((row) =>
    row.kind === 'heading' && counts.get(row.stage) === 1 ? { ...row, tookMs: measured.get(row.stage) ?? row.tookMs } : row,
  );
}

/** Every stage of a log, in the order in which they came. */
export function stagesOf(lines: readonly ShownLine[]): readonly string[] {
  return [...new Set(lines.map(({ stage }) => stage))].filter((stage) => stage !== '');
}

/** The places in `rows` of the lines that have the text, whatever its case; none for an empty text. */
export function matchesOf(rows: readonly LogRow[], text: string): readonly number[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return [];
  return rows.flatMap((row, index) => (row.kind === 'line' && row.line.text.toLowerCase().includes(wanted) ? [index] : []));
}

/** A text cut where the searched one is: every second piece is a match, the first never. */
export function cutAtMatches(text: string, search: string): readonly string[] {
  const wanted = search.toLowerCase();
  const folded = text.toLowerCase();
  // Some letters change their number when their case does, and places would no longer fit.
  if (wanted === '' || folded.length !== text.length) return [text];
  const pieces: string[] = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}

/** A log as a text file: one line each, with its time, level and stage. */
export function logText(lines: readonly ShownLine[]): string {
  return lines.map(({ at, level, stage, text }) => `${at} ${level.padEnd(5)} ${stage === '' ? '' : `[${stage}] `}${text}\n`).join('');
}

/** Whether a program wrote colours at all: most do not, and need no second look. */
function hasColours(output: string): boolean {
  return output.includes('\u001b[');
}
