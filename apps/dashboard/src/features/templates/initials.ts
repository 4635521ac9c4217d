/** The first letters of two words of a name, or the first two of its only word. */
export function initials(name: string): string {
  const [first = '', second] = name.split(/[\s-]+/).filter((word) => word !== '');
  const letters = second === undefined ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`;
  return letters.toUpperCase();
}
