import { NAME_LENGTH, nameProblem } from './names.ts';
import { randomName, usernameFrom } from './random-names.ts';
import type { RandomSource } from './random-names.ts';

/** How often a taken username is tried again with another ending. */
const SUFFIXES = 10;
const SUFFIX_STEPS = 36 ** 5;

/**
 * The usernames to try, in order, for somebody whom an identity provider calls `text`: the one that it makes (`usernameFrom`), then ten
 * with random endings. All are valid names, also where the ending does not fit any more.
 */
export function usernameCandidates(text: string, random: RandomSource): string[] {
  const first = usernameFrom(text, random);
  const candidates = [first];
  for (let index = 0; index < SUFFIXES; index++) {
    const ending = Math.min(SUFFIX_STEPS - 1, Math.floor(random() * SUFFIX_STEPS))
      .toString(36)
      .padStart(5, '0');
    const start = first.slice(0, NAME_LENGTH - ending.length - 1).replace(/-+$/, '');
    const candidate = `${start}-${ending}`;
    candidates.push(nameProblem('name', candidate) === null ? candidate : randomName(random));
  }
  return candidates;
}
