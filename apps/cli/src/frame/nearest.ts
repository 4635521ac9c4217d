/** The name that is most like the given one, when it is like it at all: at most a third of it differs. */
export function nearestOf(given: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, distance: distanceBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(given.length, name.length) / 3)))
    .toSorted((one, other) => one.distance - other.distance);
  return best?.name ?? null;
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbor to get from one word to the other. */
function distanceBetween(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
