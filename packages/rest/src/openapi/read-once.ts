import { readFile } from 'node:fs/promises';

/** Reads a file when it is first asked for, once for all callers. A read that fails is tried again by the next caller. */
export function readOnce(path: string): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined;
  return async () => {
    const reading = (content ??= readFile(path));
    try {
      return await reading;
    } catch (error) {
      if (content === reading) content = undefined;
      throw error;
    }
  };
}
