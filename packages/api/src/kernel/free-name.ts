import { randomInt } from 'node:crypto';
import { randomName } from '@berth/domain';

const CANDIDATES = 8;
/** Resolution of the random source for names. */
const RANDOM_STEPS = 2 ** 32;
const NUMBERS = 1_000_000;

/**
 * Two random words that name none of what there is: of some thousand pairs, one that is taken comes up soon. `taken` answers which of the
 * names are. Two callers at the same time may still get the same one, which their unique index says.
 */
export async function freeName(
  taken: (names: readonly string[]) => Promise<readonly string[]>,
  separator: '-' | '_' = '-',
): Promise<string> {
  const names = Array.from({ length: CANDIDATES }, () => randomName(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS, separator));
  const used = new Set(await taken(names));
  return names.find((name) => !used.has(name)) ?? `${names[0]}${separator}${randomInt(NUMBERS)}`;
}
