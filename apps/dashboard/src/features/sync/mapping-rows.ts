/** A mapping as rows of an editor: order and half-typed rows are kept, which an object could not. */
export interface MappingRow {
  /** Tells the rows apart while they are edited. */
  readonly key: number;
  readonly claim: string;
  readonly targets: readonly string[];
}

export function rowsOf(mapping: Readonly<Record<string, readonly string[]>>): MappingRow[] {
  return Object.entries(mapping)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([claim, targets], key) => ({ key, claim, targets }));
}

/** What is sent: rows without a claim value are left out, and rows of the same value are one. */
export function mappingOf(rows: readonly MappingRow[]): Record<string, string[]> {
  const mapping = new Map<string, Set<string>>();
  for (const { claim, targets } of rows) {
    if (claim === '') continue;
    const known = mapping.get(claim) ?? new Set();
    for (const target of targets) known.add(target);
    mapping.set(claim, known);
  }
  return Object.fromEntries([...mapping].map(([claim, targets]) => [claim, [...targets]]));
}

export function addedRow(rows: readonly MappingRow[]): MappingRow[] {
  return [...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, claim: '', targets: [] }];
}
