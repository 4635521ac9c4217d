import { Chunk } from '@codemirror/merge';
import type { Text } from '@codemirror/state';
import { EditorState } from '@codemirror/state';
import type { FileContent } from './file-content.ts';
import { contentOf } from './file-content.ts';
import type { TemplateFile } from './tar.ts';

export type ChangeKind = 'added' | 'removed' | 'changed' | 'renamed' | 'mode';

/** What happened to one file between two versions. */
export interface FileChange {
  readonly kind: ChangeKind;
  readonly path: string;
  /** Of a file with another name before. */
  readonly formerPath?: string;
  readonly before: TemplateFile | undefined;
  readonly after: TemplateFile | undefined;
  /** Lines; 0 where there is no text to compare. */
  readonly added: number;
  readonly removed: number;
}

/** How both sides can be shown: as texts, or why not. */
export type Comparison =
  | { readonly kind: 'text'; readonly before: string; readonly after: string }
  | Exclude<FileContent, { readonly kind: 'text' }>;

/** Precise for what people change; fast for what was replaced as a whole. */
export const DIFF = { scanLimit: 500, timeout: 300 };

/**
 * The files that differ between two versions, by path. A file that kept its content under another name was renamed; one that only became
 * executable, or no longer is, changed its mode.
 */
export function compareFiles(before: readonly TemplateFile[], after: readonly TemplateFile[]): FileChange[] {
  const olds = new Map(before.map((file) => [file.path, file]));
  const news = new Map(after.map((file) => [file.path, file]));
  const gone = before.filter(({ path }) => !news.has(path));
  const changes: FileChange[] = [];
  for (const file of after) {
    const old = olds.get(file.path);
    if (old === undefined) {
      const at = file.bytes.length === 0 ? -1 : gone.findIndex((candidate) => isSameContent(candidate, file));
      const [former] = at === -1 ? [] : gone.splice(at, 1);
      changes.push(
        former === undefined
          ? changeOf('added', file.path, undefined, file)
          : { ...changeOf('renamed', file.path, former, file), formerPath: former.path },
      );
    } else if (!isSameContent(old, file)) {
      changes.push(changeOf('changed', file.path, old, file));
    } else if ((old.isExecutable ?? false) !== (file.isExecutable ?? false)) {
      changes.push(changeOf('mode', file.path, old, file));
    }
  }
  for (const file of gone) changes.push(changeOf('removed', file.path, file, undefined));
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Both sides of a change, where they are texts. A side that is not there is an empty one. */
export function comparisonOf({ before, after }: Pick<FileChange, 'before' | 'after'>): Comparison {
  const [old, next] = [before, after].map((file) => (file === undefined ? ({ kind: 'text', text: '' } as const) : contentOf(file)));
  if (next !== undefined && next.kind !== 'text') return next;
  if (old !== undefined && old.kind !== 'text') return old;
  return { kind: 'text', before: old?.text ?? '', after: next?.text ?? '' };
}

/** Lines that came and went over all changes. */
export function totalOf(changes: readonly FileChange[]): { added: number; removed: number } {
  return changes.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
}

function changeOf(kind: ChangeKind, path: string, before: TemplateFile | undefined, after: TemplateFile | undefined): FileChange {
  return {
    kind,
    path,
    before,
    after,
    ...(kind === 'renamed' || kind === 'mode' ? { added: 0, removed: 0 } : countLines({ before, after })),
  };
}

function countLines(sides: Pick<FileChange, 'before' | 'after'>): { added: number; removed: number } {
  const comparison = comparisonOf(sides);
  if (comparison.kind !== 'text') return { added: 0, removed: 0 };
  if (comparison.before === '') return { added: linesOf(comparison.after), removed: 0 };
  if (comparison.after === '') return { added: 0, removed: linesOf(comparison.before) };
  const [a, b] = [textOf(comparison.before), textOf(comparison.after)];
  return Chunk.build(a, b, DIFF).reduce(
    (sum, chunk) => ({
      added: sum.added + linesBetween(b, chunk.fromB, chunk.toB),
      removed: sum.removed + linesBetween(a, chunk.fromA, chunk.toA),
    }),
    { added: 0, removed: 0 },
  );
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\r?\n$/, '').split('\n').length;
}

/** The end of a chunk is one past its last line, or past the text. */
function linesBetween(text: Text, from: number, to: number): number {
  if (from >= to) return 0;
  const [first, last] = [text.lineAt(from).number, text.lineAt(Math.min(to - 1, text.length)).number];
  // The empty end of a text that ends with a line break is no line.
  const isEndOnly = first === last && text.line(first).length === 0 && first === text.lines;
  return isEndOnly ? 0 : last - first + 1;
}

function textOf(text: string): Text {
  return EditorState.create({ doc: text }).doc;
}

function isSameContent(one: TemplateFile, other: TemplateFile): boolean {
  return (
    one.link === other.link && one.bytes.length === other.bytes.length && one.bytes.every((byte, index) => byte === other.bytes[index])
  );
}
