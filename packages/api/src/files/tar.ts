import { lstat, readFile, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DomainError } from '@berth/core';
import type { Header } from 'tar-stream';
import { extract, pack } from 'tar-stream';
import { ArchiveBudget, badArchive, requireInnerLink, safePath } from './archive-rules.ts';

export interface ArchiveEntry {
  /** Plain and inside the folder: `a/b`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/**
 * The regular files of a tar, after every entry was checked: no path and no link leads out of the folder, nothing but files, folders
 * and links, no more than an archive may have. Files that `keepBytes` does not name come without their content.
 *
 * @throws invalid for anything else.
 */
export async function readTar(
  tar: Uint8Array,
  { keepBytes }: { keepBytes: boolean | ((path: string) => boolean) },
): Promise<ArchiveEntry[]> {
  const parser = extract();
  Readable.from([Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength)]).pipe(parser);
  const budget = new ArchiveBudget();
  const links = new Set<string>();
  const files: ArchiveEntry[] = [];
  try {
    for await (const entry of parser) {
      const { header } = entry;
      budget.take(header.size ?? 0);
      const path = checkHeader(header, links);
      if (isFile(header)) {
        const isKept = typeof keepBytes === 'boolean' ? keepBytes : keepBytes(path);
        const bytes = isKept ? await buffer(entry) : new Uint8Array();
        files.push({ path, bytes, isExecutable: ((header.mode ?? 0) & 0o111) !== 0 });
      }
      entry.resume();
    }
  } catch (error) {
    throw error instanceof DomainError ? error : badArchive('it is not a valid tar file');
  }
  return files;
}

function isFile(header: Header): boolean {
  return header.type === 'file' || header.type === 'contiguous-file' || header.type === null || header.type === undefined;
}

/** Checks one entry against those before it, so that nothing is written through a link. */
function checkHeader(header: Header, links: Set<string>): string {
  const path = safePath(header.name);
  const folders = path.split('/').slice(0, -1);
  if (folders.some((_, index) => links.has(folders.slice(0, index + 1).join('/')))) {
    throw badArchive(`the path ${JSON.stringify(path.slice(0, 100))} goes through a link`);
  }
  switch (header.type) {
    case 'file':
    case 'contiguous-file':
    case 'directory':
    case null:
    case undefined:
      return path;
    case 'symlink':
      requireInnerLink(path, header.linkname ?? '');
      links.add(path);
      return path;
    case 'link':
      safePath(header.linkname ?? '');
      return path;
    default:
      throw badArchive(`the entry ${JSON.stringify(path.slice(0, 100))} is neither a file nor a folder`);
  }
}

/** A tar of `files`, the same bytes for the same files: sorted, without owners and times. */
export async function writeTar(files: readonly ArchiveEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = pack();
  const bytes = buffer(archive);
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const header = { name: file.path, mode: file.isExecutable ? 0o755 : 0o644, mtime: new Date(0), uid: 0, gid: 0 };
    archive.entry(header, Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
  }
  archive.finalize();
  return new Uint8Array(await bytes);
}

/** The regular files of a folder on disk, for `writeTar`. Links are left out. */
export async function readFolder(folder: string): Promise<ArchiveEntry[]> {
  const budget = new ArchiveBudget();
  const files: ArchiveEntry[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const facts = await lstat(path);
    if (!facts.isFile()) continue;
    budget.take(facts.size);
    files.push({ path: safePath(name.split(sep).join('/')), bytes: await readFile(path), isExecutable: (facts.mode & 0o111) !== 0 });
  }
  return files;
}
