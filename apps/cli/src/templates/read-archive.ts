import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { extract } from 'tar-stream';

import { ARCHIVE_MAX_BYTES, ARCHIVE_MAX_ENTRIES, ArchiveError, innerPath, isInnerLink } from './archive-path.ts';

export interface ArchiveFile {
  /** Plain and inside the folder: `a/b`. */
  readonly path: string;
  readonly content: Buffer;
  readonly isExecutable: boolean;
  /** Where a link leads; null for a file. */
  readonly target: string | null;
}

/** The files and links of a tar. @throws ArchiveError for anything that leads out of its folder, and for too much. */
export async function readArchive(tar: Uint8Array): Promise<ArchiveFile[]> {
  const parser = extract();
  Readable.from([Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength)]).pipe(parser);
  const files = new Map<string, ArchiveFile>();
  let bytes = 0;
  let entries = 0;
  try {
    for await (const entry of parser) {
      const { header } = entry;
      entries += 1;
      bytes += header.size ?? 0;
      if (entries > ARCHIVE_MAX_ENTRIES || bytes > ARCHIVE_MAX_BYTES) throw new ArchiveError('The archive is too large.');
      const name = innerPath(header.name);
      switch (header.type) {
        case 'file':
        case 'contiguous-file':
        case null:
        case undefined:
          if (name === '') throw new ArchiveError('The archive has a file without a name.');
          files.set(name, { path: name, content: await buffer(entry), isExecutable: ((header.mode ?? 0) & 0o111) !== 0, target: null });
          break;
        case 'symlink': {
          const target = header.linkname ?? '';
          if (name === '' || !isInnerLink(name, target)) {
            throw new ArchiveError(`The link ${JSON.stringify(name.slice(0, 200))} points outside of the folder.`);
          }
          files.set(name, { path: name, content: Buffer.alloc(0), isExecutable: false, target });
          break;
        }
        case 'directory':
          break;
        default:
          throw new ArchiveError(`The entry ${JSON.stringify(name.slice(0, 200))} is neither a file nor a link.`);
      }
      entry.resume();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('The download is not a valid tar file.', { cause: error });
  }
  return [...files.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whether nothing would be overwritten in a folder, which need not be there. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}

/**
 * Writes files into a folder, which is made; what is there under the same names is replaced. Never writes through a link, so never outside
 * of the folder.
 *
 * @throws ArchiveError when a link or a file stands where a folder has to be.
 */
export async function writeFiles(folder: string, files: readonly ArchiveFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Links come last, so that nothing of the archive lies behind one of its own.
  for (const file of files.toSorted((one, other) => Number(one.target !== null) - Number(other.target !== null))) {
    const place = path.join(folder, ...file.path.split('/'));
    await makeParents(folder, file.path);
    await rm(place, { force: true });
    if (file.target === null) await writeNew(place, file);
    else await symlink(file.target, place);
  }
}

async function makeParents(folder: string, inner: string): Promise<void> {
  const parts = inner.split('/').slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const parent = path.join(folder, ...parts.slice(0, depth));
    await mkdir(parent).catch(async (error: unknown) => {
      const facts = await lstat(parent);
      if (!facts.isDirectory()) throw new ArchiveError(`${parent} is not a folder.`, { cause: error });
    });
  }
}

async function writeNew(place: string, { content, isExecutable }: ArchiveFile): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = await open(place, O_WRONLY | O_CREAT | O_EXCL | (constants.O_NOFOLLOW ?? 0), isExecutable ? 0o755 : 0o644);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What another archive has that this one has not, and the other way round. */
export function changesBetween(before: readonly ArchiveFile[], after: readonly ArchiveFile[]): Changes {
  const old = new Map(before.map((file) => [file.path, fingerprint(file)]));
  const now = new Map(after.map((file) => [file.path, fingerprint(file)]));
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    changed: [...now].filter(([name, print]) => old.has(name) && old.get(name) !== print).map(([name]) => name),
    removed: [...old.keys()].filter((name) => !now.has(name)),
  };
}

function fingerprint({ content, isExecutable, target }: ArchiveFile): string {
  return `${isExecutable} ${target} ${createHash('sha256').update(content).digest('hex')}`;
}
