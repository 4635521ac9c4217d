import type { Token } from './yaml-lines.ts';
import { blockTextLines, plainValue, tokensOf } from './yaml-lines.ts';

/** Where in a YAML text a cursor stands. Read from the lines and their indentation alone, so that it works while the text is half typed. */
export interface YamlContext {
  /** From the root down to the mapping or list that the cursor is in. */
  readonly levels: readonly Level[];
  readonly at: 'key' | 'value';
  /** At a value: the key that it belongs to. */
  readonly key: string | undefined;
  /** What was typed so far of the key or value, and the column where it starts. */
  readonly typed: string;
  readonly typedFrom: number;
  /** The column at which keys of this mapping stand. */
  readonly indent: number;
}

export interface Level {
  readonly kind: 'mapping' | 'list';
  /** The key of the mapping above that leads here; undefined for an item of a list, and for the root. */
  readonly step: string | undefined;
  /** Of a mapping: its keys, with the values that stand on their lines, above and below the cursor. */
  readonly siblings: ReadonlyMap<string, string>;
}

interface Frame {
  readonly kind: 'mapping' | 'list';
  readonly step: string | undefined;
  readonly indent: number;
  readonly siblings: Map<string, string>;
  /** Its latest key, when nothing followed it on its line. */
  open: string | undefined;
}

const SHORT_FORM = /^[{[&*!|>]/;

/**
 * Where the cursor is: in `line` (from 0), after `column` characters. Undefined where nothing of the format can stand: in comments, in texts
 * over several lines, in the short forms `{}` and `[]`, and under a key that has its value already.
 */
export function yamlContext(lines: readonly string[], line: number, column: number): YamlContext | undefined {
  const texts = blockTextLines(lines);
  const before = (lines[line] ?? '').slice(0, column);
  if (texts.has(line) || /(?:^|\s)#/.test(before)) return undefined;
  const tokens = lines.flatMap((text, index) => (index === line || texts.has(index) ? [] : tokensOf(text, index)));
  const own = tokensOf(before, line);
  const last = own.at(-1);
  if (last !== undefined && SHORT_FORM.test(last.value)) return undefined;
  const indent = last === undefined || last.kind === 'item' ? before.length : last.indent;
  const stack = openFrames([...tokens.filter((token) => token.line < line), ...own.filter(({ kind }) => kind === 'item')]);
  const place = descend(stack, indent);
  if (place === undefined) return undefined;
  const below = tokens.filter((token) => token.line > line);
  const levels = place.map(({ kind, step, indent: edge, siblings }) => ({
    kind,
    step,
    siblings: kind === 'list' ? siblings : new Map([...siblings, ...keysBelow(below, edge)]),
  }));
  return last?.kind === 'key'
    ? { levels, at: 'value', key: last.key, typed: last.value, typedFrom: last.valueFrom, indent }
    : { levels, at: 'key', key: undefined, typed: last?.kind === 'text' ? last.value : '', typedFrom: indent, indent };
}

/** The mappings and lists that are open after the last of `tokens`. */
function openFrames(tokens: readonly Token[]): Frame[] {
  const stack: Frame[] = [{ kind: 'mapping', step: undefined, indent: 0, siblings: new Map(), open: undefined }];
  for (const token of tokens) {
    if (token.kind === 'text') continue;
    close(stack, token);
    const top = stack.at(-1);
    if (top === undefined) break;
    if (token.kind === 'item') {
      if (top.kind === 'mapping') {
        stack.push({ kind: 'list', step: top.open, indent: token.indent, siblings: new Map(), open: undefined });
      }
      continue;
    }
    const isNew = top.kind === 'list' || top.indent !== token.indent;
    const mapping: Frame = isNew
      ? { kind: 'mapping', step: top.kind === 'list' ? undefined : top.open, indent: token.indent, siblings: new Map(), open: undefined }
      : top;
    if (isNew) stack.push(mapping);
    const value = plainValue(token.value);
    mapping.siblings.set(token.key, value);
    mapping.open = value === '' ? token.key : undefined;
  }
  return stack;
}

/** Leaves what ends before a key or an item at this column. */
function close(stack: Frame[], { indent, kind }: Pick<Token, 'indent' | 'kind'>): void {
  for (;;) {
    const top = stack.at(-1);
    if (top === undefined || stack.length === 1) return;
    // A list may stand at the very column of the key that it belongs to.
    if (top.indent > indent || (top.indent === indent && kind === 'key' && top.kind === 'list')) stack.pop();
    else return;
  }
}

/** The frames down to the mapping whose keys stand at `indent`; undefined when no mapping can start there. */
function descend(stack: Frame[], indent: number): Frame[] | undefined {
  close(stack, { indent, kind: 'key' });
  const top = stack.at(-1);
  if (top === undefined) return undefined;
  if (top.kind === 'mapping' && top.indent === indent) return stack;
  if (top.kind === 'mapping' && top.open === undefined) return undefined;
  return [...stack, { kind: 'mapping', step: top.kind === 'list' ? undefined : top.open, indent, siblings: new Map(), open: undefined }];
}

/** The keys that the mapping at `indent` has further down. */
function keysBelow(below: readonly Token[], indent: number): Map<string, string> {
  const keys = new Map<string, string>();
  for (const token of below) {
    if (token.indent < indent) break;
    if (token.indent === indent && token.kind === 'key') keys.set(token.key, plainValue(token.value));
  }
  return keys;
}
