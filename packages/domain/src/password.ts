/** A password must be worth this many bits by the estimate below. */
export const PASSWORD_ENTROPY_BITS_MIN = 52;
export const PASSWORD_LENGTH_MAX = 64;

/** Characters that a guesser would try together, and how many of each there are. */
const CLASSES: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
];

/** Orders in which neighbouring characters are no surprise. */
const SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', '0123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'];

/**
 * Estimates how hard a password is to guess, in bits: its counted length times log2 of the size of the character classes it uses.
 * Counted length leaves out what adds nothing: in a run of one character ("aaaa") or of a known order ("4567", "ytrewq") only the
 * first two count, and of a text that repeats itself ("hello!hello!") only the first turn and one more character.
 */
export function passwordEntropyBits(password: string): number {
  const bounded = [...password].slice(0, 4 * PASSWORD_LENGTH_MAX);
  const pool = CLASSES.reduce((sum, [pattern, size]) => sum + (bounded.some((char) => pattern.test(char)) ? size : 0), 0);
  if (pool === 0) return 0;
  return countedLength(bounded) * Math.log2(pool);
}

/** Why a password is refused, or null when it is fine. */
export function passwordProblem(password: string): string | null {
  if (password.length > PASSWORD_LENGTH_MAX && [...password].length > PASSWORD_LENGTH_MAX) {
    return `Must have at most ${PASSWORD_LENGTH_MAX} characters.`;
  }
  if (passwordEntropyBits(password) >= PASSWORD_ENTROPY_BITS_MIN) return null;
  return 'Too easy to guess: make it longer, or mix upper and lower case letters, digits and symbols.';
}

function countedLength(chars: readonly string[]): number {
  const lower = chars.map((char) => char.toLowerCase());
  const period = shortestPeriod(lower);
  const counted = lower.length >= 2 * period ? lower.slice(0, period + 1) : lower;
  let length = 0;
  for (let i = 0; i < counted.length; i += 1) {
    const [before, previous, char] = [counted[i - 2], counted[i - 1], counted[i]];
    if (before === undefined || previous === undefined || char === undefined || !isRun(before, previous, char)) length += 1;
  }
  return length;
}

function isRun(a: string, b: string, c: string): boolean {
  if (a === b && b === c) return true;
  const forward = a + b + c;
  const backward = c + b + a;
  return SEQUENCES.some((sequence) => sequence.includes(forward) || sequence.includes(backward));
}

/** The smallest p such that every character equals the one p places before it; the whole length if there is none. */
function shortestPeriod(chars: readonly string[]): number {
  for (let period = 1; period < chars.length; period += 1) {
    if (chars.every((char, i) => i < period || char === chars[i - period])) return period;
  }
  return chars.length;
}
