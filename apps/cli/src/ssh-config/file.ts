import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { readNamedFile } from '../frame/file-problems.ts';

/** Bytes, one a character, so that a file in whatever encoding comes back as it was. Empty when there is no file. */
export async function readConfig(file: string): Promise<string> {
  try {
    return await readNamedFile(file, 'latin1');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

/** Replaces a file in one step; only its owner may read it. A symbolic link stays one: what it leads to is replaced. */
export async function writeConfig(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch((error: unknown) => {
    if (isMissing(error)) return file;
    throw error;
  });
  const draft = `${target}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(content, 'latin1');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Text as the bytes that `readConfig` answers. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Bytes of `readConfig` as text to show. */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
