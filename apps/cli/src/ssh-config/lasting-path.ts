import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The path of a program that outlives updates: the one on the search path when it leads to the same file, since package managers keep
 * that one and replace what it leads to; else the file itself.
 */
export function lastingPath(name: string, own: string, env: Readonly<Record<string, string | undefined>>): string {
  const file = realpathSync(own);
  const candidates = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return candidates.map((folder) => path.join(folder, name)).find((candidate) => realPathOf(candidate) === file) ?? file;
}

/** Whether the file is one that may soon be gone: in a checkout, in a temporary folder or in the cache of npx. */
export function isPassing(file: string, checkout: string | null): boolean {
  const folders = [checkout, realPathOf(tmpdir())].filter((folder) => folder !== null);
  return folders.some((folder) => file.startsWith(folder + path.sep)) || file.split(path.sep).includes('_npx');
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
