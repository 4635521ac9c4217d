/** The initials for a name: the first letters of its first two words, or the first two letters of its only word. */
export function initials(name: string): string {
  const [first = '', second] = name.split(/[\s-]+/).filter((word) => word !== '');
  const letters = second === undefined ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`;
  return letters.toUpperCase();
}
