import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { chmod, chown, lchown, link, lstat, lutimes, rename, truncate, unlink, utimes } from 'node:fs/promises';

import { SftpError, STATUS } from './packets.ts';
import type { Attributes } from './packets.ts';
import { systemPath } from './paths.ts';

const OPEN = { read: 0x1, write: 0x2, append: 0x4, create: 0x8, truncate: 0x10, exclusive: 0x20 } as const;
const MODE_BITS = 0o7777;

/** The system's flags for those of a request. A pipe without a writer must not hold up the whole process, hence `O_NONBLOCK`. */
export function openFlags(asked: number): number {
  const isRead = (asked & OPEN.read) !== 0;
  const isWrite = (asked & OPEN.write) !== 0;
  let flags = constants.O_NONBLOCK | (isRead && isWrite ? constants.O_RDWR : isWrite ? constants.O_WRONLY : constants.O_RDONLY);
  if (asked & OPEN.append) flags |= constants.O_APPEND;
  if (asked & OPEN.create) flags |= constants.O_CREAT;
  if (asked & OPEN.truncate) flags |= constants.O_TRUNC;
  if (asked & OPEN.exclusive) flags |= constants.O_EXCL;
  return flags;
}

export function isAppending(asked: number): boolean {
  return (asked & OPEN.append) !== 0;
}

/** Changes what a request asks for: the size first, since that changes the time, and the owner last, since that may take the right to do the rest. */
export async function changeByName(name: string, { size, mode, times, owner }: Attributes): Promise<void> {
  const file = systemPath(name);
  if (size !== undefined) await truncate(file, size);
  if (mode !== undefined) await chmod(file, mode & MODE_BITS);
  if (times !== undefined) await utimes(file, times.atime, times.mtime);
  if (owner !== undefined) await chown(file, owner.uid, owner.gid);
}

/** The same for an open file. */
export async function changeOpen(file: FileHandle, { size, mode, times, owner }: Attributes): Promise<void> {
  if (size !== undefined) await file.truncate(size);
  if (mode !== undefined) await file.chmod(mode & MODE_BITS);
  if (times !== undefined) await file.utimes(times.atime, times.mtime);
  if (owner !== undefined) await file.chown(owner.uid, owner.gid);
}

/** The same for a link itself. A link has no size, and no mode that could be changed. */
export async function changeLink(name: string, { size, mode, times, owner }: Attributes): Promise<void> {
  if (size !== undefined || mode !== undefined) throw new SftpError(STATUS.unsupported, 'A link has neither size nor mode');
  const file = systemPath(name);
  if (times !== undefined) await lutimes(file, times.atime, times.mtime);
  if (owner !== undefined) await lchown(file, owner.uid, owner.gid);
}

/** Renames without replacing anything. */
export async function renameToNew(from: string, to: string): Promise<void> {
  const [source, target] = [systemPath(from), systemPath(to)];
  if ((await lstat(source)).isFile()) {
    try {
      // The one way that cannot replace a file which somebody makes meanwhile.
      await link(source, target);
      await unlink(source);
      return;
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
    }
  }
  const exists = await lstat(target).then(
    () => true,
    () => false,
  );
  if (exists) throw new SftpError(STATUS.failure, 'There is something of the new name already');
  await rename(source, target);
}

function isWithoutLinks(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EPERM' || code === 'EOPNOTSUPP' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EMLINK' || code === 'EXDEV';
}
