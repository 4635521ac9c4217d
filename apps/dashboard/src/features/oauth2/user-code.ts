const HALF = 4;
const LETTERS = 2 * HALF;

/** What was typed of a device's code, as the device shows it: `BDFG-HJKL`. Anything that is no letter is dropped, as is what is too much. */
export function formatUserCode(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, LETTERS);
  return letters.length > HALF ? `${letters.slice(0, HALF)}-${letters.slice(HALF)}` : letters;
}

export function isWholeUserCode(code: string): boolean {
  return formatUserCode(code).length === LETTERS + 1;
}
