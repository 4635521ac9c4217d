/** Two texts line by line, with what is the same on both sides opposite each other. */
export interface DiffLine {
  readonly kind: 'same' | 'changed' | 'removed' | 'added' | 'skipped';
  /** Null where the other side has a line more; of what is skipped, how many lines on either side. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Comparing takes the product of both. */
const CELLS_MAX = 1_000_000;

/**
 * The lines of both texts, side by side. Of long stretches that are the same only what is around a change is kept. Texts that are too long to be
 * compared stand opposite each other line by line, as far as the shorter one goes.
 */
export function diffLines(before: string, after: string, { context = 3 }: { context?: number } = {}): DiffLine[] {
  const [a, b] = [before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ kind: 'same', before: line, after: line }));
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return shortened([...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))], context);
}

function compared(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > CELLS_MAX) return replaced(a, b);
  // The longest common subsequence, from the end.
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0)
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    lines.push(...replaced(removed, added));
    [removed, added] = [[], []];
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && one === other) {
      flush();
      lines.push({ kind: 'same', before: one, after: other });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))) {
      removed.push(one);
      i += 1;
    } else if (other !== undefined) {
      added.push(other);
      j += 1;
    }
  }
  flush();
  return lines;
}

function replaced(removed: readonly string[], added: readonly string[]): DiffLine[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    const [before = null, after = null] = [removed[at], added[at]];
    return { kind: before === null ? 'added' : after === null ? 'removed' : 'changed', before, after };
  });
}

function shortened(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isNear = lines.map(() => false);
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let near = Math.max(0, at - context); near <= Math.min(lines.length - 1, at + context); near += 1) isNear[near] = true;
  }
  const kept: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    let until = at;
    while (until < lines.length && isNear[until] === false) until += 1;
    // A single line takes as much room as saying that it is missing.
    if (until - at > 1) kept.push({ kind: 'skipped', before: String(until - at), after: String(until - at) });
    else kept.push(...lines.slice(at, until));
    const line = lines[until];
    if (line !== undefined) kept.push(line);
    at = until + 1;
  }
  return kept;
}
