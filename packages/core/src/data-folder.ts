import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Why a data folder cannot be used, as a sentence for the person who starts the process. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to write there',
  EPERM: 'this user is not allowed to write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it leads through too many symbolic links',
};

/**
 * Creates the folder with everything above it that is missing, and makes sure that files can be written there. Throws `DataFolderError`.
 * Node's own recursive `mkdir` is not used: it never returns below `/proc`, and reports a read-only file system as a missing folder.
 */
export function prepareDataFolder(folder: string, mode: number): void {
  const missing = missingFolders(folder);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST') continue;
      // Its parent is there, so the file system itself refuses.
      const reason = code === 'ENOENT' ? `the file system of ${dirname(one)} does not allow new folders` : reasonOf(code, error);
      throw new DataFolderError(`The folder ${one} cannot be created: ${reason}.`, { cause: error });
    }
  }
  requireWritable(folder);
}

/** Those that have to be made, outermost first. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      if (statSync(at).isDirectory()) return missing;
      throw new DataFolderError(`The folder ${folder} cannot be used: ${at} is not a folder.`);
    } catch (error) {
      if (error instanceof DataFolderError) throw error;
      const code = codeOf(error);
      // Below a file: the file itself is found on the way up.
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(at) === at) {
        throw new DataFolderError(`The folder ${folder} cannot be used: ${reasonOf(code, error)}.`, { cause: error });
      }
      missing.unshift(at);
    }
  }
}

function requireWritable(folder: string): void {
  const probe = join(folder, `.write-test-${process.pid}`);
  try {
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
  } catch (error) {
    throw new DataFolderError(`The folder ${folder} cannot be written to: ${reasonOf(codeOf(error), error)}.`, { cause: error });
  }
}

function reasonOf(code: string, error: unknown): string {
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
