import { access, constants } from 'node:fs/promises';
import path from 'node:path';

/** True where all these programs are to be found: not every machine has them, and tests that need one that is missing are skipped. */
export async function hasPrograms(...names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map(findProgram));
  return !found.includes(undefined);
}

/** The absolute path of a program of the search path. */
export async function findProgram(name: string): Promise<string | undefined> {
  // oxlint-disable-next-line node/no-process-env -- the search path is not a setting
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const file = path.join(folder, name);
    if (path.isAbsolute(file) && (await isProgram(file))) return file;
  }
  return undefined;
}

export async function isProgram(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
