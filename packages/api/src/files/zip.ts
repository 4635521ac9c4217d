import { DomainError } from '@berth/core';
import { unzipSync, zipSync } from 'fflate';
import { ArchiveBudget, badArchive, safePath } from './archive-rules.ts';
import type { ArchiveEntry } from './tar.ts';

/**
 * The files of a zip. Its directory is checked before anything is inflated, and no file gets more room than the directory says, so
 * that a small zip cannot become a large one. Links in a zip are plain files with the target as their content, and stay that.
 *
 * @throws invalid for a path that leads out, for too many entries or bytes, and for a broken zip.
 */
export function readZip(zip: Uint8Array): ArchiveEntry[] {
  const budget = new ArchiveBudget();
  const paths = new Set<string>();
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        budget.take(originalSize);
        const path = safePath(name);
        if (name.endsWith('/')) return false;
        if (paths.has(path)) throw badArchive(`the path ${JSON.stringify(path.slice(0, 100))} is there twice`);
        paths.add(path);
        return true;
      },
    });
    return Object.entries(files).map(([name, bytes]) => ({ path: safePath(name), bytes, isExecutable: false }));
  } catch (error) {
    throw error instanceof DomainError ? error : badArchive('it is not a valid zip file');
  }
}

/** A zip of `files`; always the same bytes for the same files, in every time zone. */
export function writeZip(files: readonly ArchiveEntry[]): Uint8Array<ArrayBuffer> {
  // Zip entries store local time from 1980 on. 1980-01-01T00:00Z is still 1979 west of Greenwich, and zipSync rejects it.
  const mtime = new Date(1980, 0, 1);
  const tree = Object.fromEntries(
    files
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map((file) => [file.path, [file.bytes, { mtime, os: 3, attrs: (file.isExecutable ? 0o755 : 0o644) << 16 }] as const]),
  );
  return new Uint8Array(zipSync(tree as Parameters<typeof zipSync>[0]));
}
