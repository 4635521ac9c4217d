import type { BrokenRule, Path } from './read-template.ts';

/** What two items of a list may not have in common, as far as both have it. */
export function twins<T>(items: readonly T[], { path, key, of }: { path: Path; key: string; of: (item: T) => string }): BrokenRule[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const first = seen.get(of(item));
    if (first === undefined) {
      seen.set(of(item), index);
      return [];
    }
    return [{ path: [...path, index, key], rule: `is the same as that of ${path.at(-1)?.toString()}[${first}]: each needs its own` }];
  });
}
