import { usageError } from './errors.ts';
import type { Io } from './io.ts';
import { isLively, widthOfTerminal } from './io.ts';
import { nearestOf } from './nearest.ts';
import { escapeControls, plain, plainLines } from './plain-text.ts';
import { renderTable } from './table.ts';

export const OUTPUT_FORMATS = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Column<T> {
  /** For `--columns`. */
  readonly id: string;
  readonly title: string;
  value(row: T): string;
  /** Shown only when asked for with `--columns`. */
  readonly isExtra?: boolean;
  /** The least important column is left out first where a terminal is too narrow; the further right, the less, unless given. */
  readonly importance?: number;
}

export interface ListOptions {
  /** `--columns`: ids of columns, separated by commas. */
  readonly columns?: string | undefined;
  /** Said to a person when there is nothing: with what to do about it. */
  readonly empty: string;
}

/** Everything a command prints. Data goes to stdout, in the form that `-o` asks for; remarks go to stderr. */
export class Output {
  readonly format: OutputFormat;
  readonly #io: Io;

  constructor(io: Io, format: OutputFormat) {
    this.#io = io;
    this.format = format;
  }

  /** Whether a program reads it. */
  get isForPrograms(): boolean {
    return this.format !== 'table';
  }

  /** A list: a table for people, the rows as the server sends them for programs. */
  async list<T>(rows: readonly T[], columns: readonly Column<T>[], options: ListOptions): Promise<void> {
    const chosen = chooseColumns(columns, options.columns);
    if (this.isForPrograms) return this.data(rows);
    if (rows.length === 0) {
      this.note(options.empty);
      return;
    }
    const { stdout } = this.#io;
    const { text, omitted } = renderTable({
      columns: chosen.map((column, index) => ({
        title: column.title,
        cells: rows.map((row) => plain(column.value(row))),
        importance: column.importance ?? -index,
      })),
      width: widthOfTerminal(stdout),
      isBold: isLively(this.#io, stdout),
    });
    this.#write(text);
    if (omitted.length > 0) this.note(`Not shown on this narrow terminal: ${omitted.join(', ')}. Choose columns with --columns.`);
  }

  /** One thing: its fields under each other for people, itself for programs. */
  async record(thing: unknown, fields: readonly (readonly [label: string, value: string])[]): Promise<void> {
    if (this.isForPrograms) return this.data(thing);
    const width = Math.max(...fields.map(([label]) => label.length));
    for (const [label, value] of fields) {
      const [first = '', ...others] = plainLines(value).split('\n');
      this.#write(`${`${label}:`.padEnd(width + 2)}${first}\n`);
      for (const line of others) this.#write(`${' '.repeat(width + 2)}${line}\n`);
    }
  }

  /** What became of a change: a sentence for people, the thing as it is now for programs. */
  async done(sentence: string, thing: unknown): Promise<void> {
    if (this.isForPrograms) return this.data(thing);
    this.#write(`${plain(sentence)}\n`);
  }

  /** For programs, whatever `-o` says of people: YAML if asked for, else JSON. */
  async data(value: unknown): Promise<void> {
    if (this.format !== 'yaml') {
      this.#write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
      return;
    }
    const { toYaml } = await import('./yaml.ts');
    this.#write(toYaml(value));
  }

  /** A line of text, made safe; several are fine. */
  line(text: string): void {
    this.#write(`${plainLines(text)}\n`);
  }

  /** A remark for a person, on stderr. */
  note(text: string): void {
    this.#io.stderr.write(`${plainLines(text)}\n`);
  }

  #write(text: string): void {
    this.#io.stdout.write(text);
  }
}

function chooseColumns<T>(columns: readonly Column<T>[], wanted: string | undefined): readonly Column<T>[] {
  if (wanted === undefined) return columns.filter(({ isExtra = false }) => !isExtra);
  return wanted.split(',').map((part) => {
    const found = columns.find(({ id }) => id === part.trim());
    if (found === undefined) {
      const nearest = nearestOf(
        part.trim(),
        columns.map(({ id }) => id),
      );
      const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
      throw usageError(`Unknown column "${part.trim()}".${hint}`, { next: `Columns: ${columns.map(({ id }) => id).join(', ')}` });
    }
    return found;
  });
}
