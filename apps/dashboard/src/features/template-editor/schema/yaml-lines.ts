/** What a line of YAML has: the dash of a list's item, a key with what follows it, or another text. */
export interface Token {
  /** From 0. */
  readonly line: number;
  /** The column that it starts at. */
  readonly indent: number;
  readonly kind: 'item' | 'key' | 'text';
  readonly key: string;
  readonly value: string;
  readonly valueFrom: number;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#:{}[\],&*!|>'"%@`-](?:[^:#{}[\],]*[^:#{}[\],\s])?)\s*:(?=\s|$)\s*/;

export function tokensOf(text: string, line: number): Token[] {
  const tokens: Token[] = [];
  let at = text.length - text.trimStart().length;
  if (at === text.length || text[at] === '#') return [];
  while (text[at] === '-' && (text[at + 1] === ' ' || at + 1 === text.length)) {
    tokens.push({ line, indent: at, kind: 'item', key: '', value: '', valueFrom: at });
    at += 1;
    while (text[at] === ' ') at += 1;
  }
  const rest = text.slice(at);
  if (rest === '' || rest.startsWith('#')) return tokens;
  const match = KEY.exec(rest);
  if (match === null) return [...tokens, { line, indent: at, kind: 'text', key: '', value: rest, valueFrom: at }];
  const valueFrom = at + match[0].length;
  return [...tokens, { line, indent: at, kind: 'key', key: unquoted(match[1] ?? ''), value: text.slice(valueFrom), valueFrom }];
}

/** A value without the comment behind it and the quotes around it. */
export function plainValue(value: string): string {
  return unquoted(value.replace(/(?:^|\s)#.*$/, ''));
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/.exec(text.trim());
  return match?.[2] ?? text.trim();
}

/** Lines of texts over several lines (`|`, `>`), which only look like YAML. */
export function blockTextLines(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  let indent = -1;
  for (const [index, text] of lines.entries()) {
    if (indent !== -1) {
      if (text.trim() === '' || text.length - text.trimStart().length > indent) {
        found.add(index);
        continue;
      }
      indent = -1;
    }
    const last = tokensOf(text, index).at(-1);
    if (last !== undefined && last.kind !== 'item' && /^[|>][+-]?\d?[+-]?$/.test(plainValue(last.value))) {
      indent = last.kind === 'key' ? last.indent : last.indent - 2;
    }
  }
  return found;
}
