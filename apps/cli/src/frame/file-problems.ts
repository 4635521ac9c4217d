import { readFile } from 'node:fs/promises';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** A wrong path is the caller's to fix; everything else is not. */
const REASONS: Readonly<Record<string, readonly [reason: string, exitCode: ExitCode]>> = {
  ENOENT: ['no such file or folder', EXIT.usage],
  ENOTDIR: ['not a folder', EXIT.usage],
  EISDIR: ['it is a folder', EXIT.usage],
  EEXIST: ['it already exists', EXIT.conflict],
  ENOTEMPTY: ['the folder is not empty', EXIT.conflict],
  EACCES: ['permission denied', EXIT.usage],
  EPERM: ['permission denied', EXIT.usage],
  ELOOP: ['too many symbolic links', EXIT.usage],
  ENAMETOOLONG: ['the name is too long', EXIT.usage],
  EROFS: ['the file system is read-only', EXIT.failed],
  ENOSPC: ['no space left on the disk', EXIT.failed],
  EDQUOT: ['the disk quota is used up', EXIT.failed],
  EMFILE: ['too many open files', EXIT.failed],
  EIO: ['the disk reports an error', EXIT.failed],
};

/** What an error of the file system means, as a sentence that names the path; null for any other error. */
export function fileProblem(error: unknown): { readonly message: string; readonly exitCode: ExitCode } | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || typeof error.code !== 'string') return null;
  const known = REASONS[error.code];
  if (known === undefined) return null;
  const [reason, exitCode] = known;
  if ('path' in error && typeof error.path === 'string') return { message: `${error.path}: ${reason}.`, exitCode };
  return exitCode === EXIT.failed ? { message: `${reason[0]?.toUpperCase()}${reason.slice(1)}.`, exitCode } : null;
}

/** The text of a file. A failure names the file, which those of reading itself do not. */
export async function readNamedFile(file: string, encoding: 'utf8' | 'latin1'): Promise<string> {
  try {
    return await readFile(file, encoding);
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  }
}
