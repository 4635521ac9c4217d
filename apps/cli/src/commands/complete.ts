import type { Io } from '../frame/io.ts';

/** What could stand at the end of `words`, one per line. */
export async function complete(words: readonly string[], io: Io): Promise<number> {
  void words;
  void io;
  return 0;
}
