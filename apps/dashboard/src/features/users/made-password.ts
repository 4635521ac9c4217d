import { passwordProblem, randomName } from '@berth/domain';

const DIGITS_MAX = 10_000;
const TRIES_MAX = 20;

/** A password that can be read out: two pairs of words and a number. `random` gives numbers in [0, 1) that nobody can foresee. */
export function madePassword(random: () => number): string {
  let made = '';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    made = `${randomName(random)}-${randomName(random)}-${String(Math.floor(random() * DIGITS_MAX)).padStart(4, '0')}`;
    if (passwordProblem(made) === null) return made;
  }
  return made;
}

const UINT32 = 2 ** 32;

/** From the browser's own source of secrets. */
export function secretRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / UINT32;
}
