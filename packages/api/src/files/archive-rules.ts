import { invalid } from '@berth/core';
import { MAX_UPLOAD_BYTES } from './contract.ts';

/** Files, folders and links in one archive at most. */
export const MAX_ENTRIES = 10_000;
/** Bytes that an archive may have once unpacked. */
export const MAX_EXPANDED_BYTES = MAX_UPLOAD_BYTES;

const MAX_PATH = 1024;

export function badArchive(reason: string): Error {
  return invalid(`The archive cannot be used: ${reason}.`);
}

/** Counts entries and bytes, and refuses an archive that has too many of either. */
export class ArchiveBudget {
  #entries = 0;
  #bytes = 0;

  take(bytes: number): void {
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries > MAX_ENTRIES) throw badArchive(`it has more than ${MAX_ENTRIES} entries`);
    if (this.#bytes > MAX_EXPANDED_BYTES) throw badArchive(`it has more than ${MAX_EXPANDED_BYTES} bytes once unpacked`);
  }
}

/** The path of an entry in its plain form (`a/b`; the root is empty). @throws invalid for a path that leads out of the folder. */
export function safePath(path: string): string {
  if (path.length > MAX_PATH) throw badArchive('it has a path that is too long');
  const shown = JSON.stringify(path.slice(0, 100));
  if (/[\0\\]/.test(path)) throw badArchive(`the path ${shown} has a character that paths must not have`);
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(path)) throw badArchive(`the path ${shown} is absolute`);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw badArchive(`the path ${shown} leads out of its folder`);
  return parts.join('/');
}

/** Refuses a symbolic link at `path` that leads out of the folder when it is followed. */
export function requireInnerLink(path: string, target: string): void {
  const shown = JSON.stringify(path.slice(0, 100));
  if (target === '' || target.length > MAX_PATH || /[\0\\]/.test(target) || target.startsWith('/') || /^[a-zA-Z]:/.test(target)) {
    throw badArchive(`the link ${shown} leads out of its folder`);
  }
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const firstName = parts.findIndex((part) => part !== '..');
  // A name may be another link, and `..` behind it leads up from wherever that one ends.
  if (firstName !== -1 && parts.includes('..', firstName)) throw badArchive(`the link ${shown} turns back on its way`);
  const ups = firstName === -1 ? parts.length : firstName;
  if (ups > path.split('/').length - 1) throw badArchive(`the link ${shown} leads out of its folder`);
}
