/** Bytes that an archive may have, packed or unpacked: what the server takes. */
export const ARCHIVE_MAX_BYTES = 100 * 1024 * 1024;
/** Files, folders and links in one archive at most. */
export const ARCHIVE_MAX_ENTRIES = 10_000;

/** An archive or a folder that cannot be used, with the reason as a sentence. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** The path of an entry in its plain form (`a/b`; the root is empty). @throws ArchiveError for one that leads out of the folder. */
export function innerPath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 200));
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (/[\0\\]/.test(path) || path.startsWith('/') || /^[a-zA-Z]:/.test(path) || parts.includes('..')) {
    throw new ArchiveError(`The path ${shown} points outside of the folder.`);
  }
  return parts.join('/');
}

/** Whether a link at `path` leads to something inside the folder: only upwards first, and never above it. */
export function isInnerLink(path: string, target: string): boolean {
  if (target === '' || /[\0\\]/.test(target) || target.startsWith('/') || /^[a-zA-Z]:/.test(target)) return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const name = parts.findIndex((part) => part !== '..');
  if (name !== -1 && parts.includes('..', name)) return false;
  return (name === -1 ? parts.length : name) <= path.split('/').length - 1;
}
