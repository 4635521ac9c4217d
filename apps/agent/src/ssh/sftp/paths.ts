import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Names are text of bytes (see `packets.ts`); the system gets the bytes. */
export function systemPath(name: string): Buffer {
  return Buffer.from(name, 'latin1');
}

/** The text of bytes of a path that this process has as ordinary text. */
export function nameOf(systemText: string): string {
  return Buffer.from(systemText, 'utf8').toString('latin1');
}

/** An absolute name: what is relative lies in the home. */
export function absolute(name: string, home: string): string {
  return name.startsWith('/') ? name : `${home}/${name}`;
}

/** The name without links, `.` and `..`. Its last part need not be there. */
export async function canonical(name: string): Promise<string> {
  try {
    return await realpath(systemPath(name), { encoding: 'latin1' });
  } catch (error) {
    const parent = path.posix.dirname(name);
    const isMissing = await lstat(systemPath(name)).then(
      () => false,
      (failure: NodeJS.ErrnoException) => failure.code === 'ENOENT',
    );
    if (!isMissing || parent === name) throw error;
    return path.posix.join(await realpath(systemPath(parent), { encoding: 'latin1' }), path.posix.basename(name));
  }
}
