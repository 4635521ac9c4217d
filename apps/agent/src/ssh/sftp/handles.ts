import type { Dir } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

import { SftpError, STATUS } from './packets.ts';

const HANDLES_MAX = 512;

export interface OpenFile {
  readonly kind: 'file';
  readonly file: FileHandle;
  readonly isAppending: boolean;
}

export interface OpenFolder {
  readonly kind: 'folder';
  readonly folder: Dir;
  readonly name: string;
}

/** What a client has open, by the handles that it was given. */
export class Handles {
  readonly #open = new Map<string, OpenFile | OpenFolder>();
  #last = 0;

  static readonly max = HANDLES_MAX;

  /** Throws before something is opened that could not be kept. */
  requireRoom(): void {
    if (this.#open.size >= HANDLES_MAX) throw new SftpError(STATUS.failure, 'Too many files are open');
  }

  add(opened: OpenFile | OpenFolder): string {
    this.#last += 1;
    const handle = String(this.#last);
    this.#open.set(handle, opened);
    return handle;
  }

  file(handle: string): OpenFile {
    const opened = this.#open.get(handle);
    if (opened?.kind !== 'file') throw new SftpError(STATUS.failure, 'This is no handle of a file');
    return opened;
  }

  folder(handle: string): OpenFolder {
    const opened = this.#open.get(handle);
    if (opened?.kind !== 'folder') throw new SftpError(STATUS.failure, 'This is no handle of a folder');
    return opened;
  }

  async close(handle: string): Promise<void> {
    const opened = this.#open.get(handle);
    if (opened === undefined) throw new SftpError(STATUS.failure, 'This is no handle');
    this.#open.delete(handle);
    await (opened.kind === 'file' ? opened.file.close() : opened.folder.close());
  }

  /** Closes what the client left open. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((handle) => this.close(handle)));
  }
}
