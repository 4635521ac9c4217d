import { statfs } from 'node:fs/promises';
import type { Disk } from '@berth/api/server';

/** The disk that a folder is on. */
export function diskOf(folder: string): Disk {
  return {
    folder,
    space: async () => {
      const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
      // Some file systems, such as btrfs, make room for files as they need it and report none.
      return { totalBytes: blocks * bsize, freeBytes: bavail * bsize, freeFiles: files === 0 ? null : ffree };
    },
  };
}
