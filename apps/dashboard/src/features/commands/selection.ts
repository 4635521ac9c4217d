const PAGE_ROWS = 6;

/** Which of `count` options a key moves to from `index`; null for keys that belong to the text. */
export function nextSelected(key: string, { index, count }: { readonly index: number; readonly count: number }): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return index <= 0 ? count - 1 : index - 1;
    case 'PageDown':
      return Math.min(index + PAGE_ROWS, count - 1);
    case 'PageUp':
      return Math.max(index - PAGE_ROWS, 0);
    default:
      return null;
  }
}
