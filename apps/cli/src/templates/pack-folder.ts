import { lstat, open, readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import ignore from 'ignore';
import { pack } from 'tar-stream';

import { ARCHIVE_MAX_BYTES, ARCHIVE_MAX_ENTRIES, ArchiveError, isInnerLink } from './archive-path.ts';

/** Never part of a template, and often large or secret. */
const NEVER = ['.git', '.terraform', '*.tfstate', '*.tfstate.*', '.DS_Store'];
/** Each counts for its folder and what lies below; the later one wins. */
const IGNORE_FILES = ['.gitignore', '.berthignore'];

export interface PackedFolder {
  readonly tar: Buffer;
  /** The files and links, in the order of their names. */
  readonly files: readonly string[];
}

interface Found {
  readonly path: string;
  readonly content: Buffer;
  readonly isExecutable: boolean;
  /** Where a link leads; null for a file. */
  readonly target: string | null;
}

/**
 * A folder as a tar: the same bytes for the same content, without what `.gitignore` and `.berthignore` name.
 *
 * @throws ArchiveError for what a template cannot hold: too much, a link out of the folder, something that is neither file nor folder.
 */
export async function packFolder(folder: string): Promise<PackedFolder> {
  const files: Found[] = [];
  await walk({ folder, at: '', rules: [], files, budget: { entries: 0, bytes: 0 } });
  if (files.length === 0) throw new ArchiveError('The folder has no files to upload.');
  const archive = pack();
  const whole = buffer(archive);
  for (const { path: name, content, isExecutable, target } of files) {
    const header = { name, mode: isExecutable ? 0o755 : 0o644, mtime: new Date(0), uid: 0, gid: 0 };
    if (target === null) archive.entry(header, content);
    else archive.entry({ ...header, type: 'symlink', linkname: target });
  }
  archive.finalize();
  const tar = await whole;
  if (tar.length > ARCHIVE_MAX_BYTES) throw tooMuch(`${ARCHIVE_MAX_BYTES / 1024 / 1024} MB`);
  return { tar, files: files.map((file) => file.path) };
}

interface Rules {
  /** The folder that the rules are of, with a slash at its end; empty for the root. */
  readonly base: string;
  readonly matcher: ReturnType<typeof ignore>;
}

interface Walk {
  readonly folder: string;
  readonly at: string;
  readonly rules: readonly Rules[];
  readonly files: Found[];
  readonly budget: { entries: number; bytes: number };
}

async function walk({ folder, at, rules: outer, files, budget }: Walk): Promise<void> {
  const here = path.join(folder, at);
  const rules = [...outer, ...(await rulesOf(here, at))];
  const names = (await readdir(here)).toSorted();
  for (const name of names) {
    const inner = at === '' ? name : `${at}/${name}`;
    const facts = await lstat(path.join(folder, inner));
    if (isIgnored(rules, facts.isDirectory() ? `${inner}/` : inner)) continue;
    budget.entries += 1;
    if (budget.entries > ARCHIVE_MAX_ENTRIES) throw tooMuch(`${ARCHIVE_MAX_ENTRIES} files`);
    if (facts.isDirectory()) {
      await walk({ folder, at: inner, rules, files, budget });
    } else if (facts.isSymbolicLink()) {
      const target = await readlink(path.join(folder, inner));
      if (!isInnerLink(inner, target)) throw new ArchiveError(`The link ${inner} points outside of the folder.`);
      files.push({ path: inner, content: Buffer.alloc(0), isExecutable: false, target });
    } else if (facts.isFile()) {
      budget.bytes += facts.size;
      if (budget.bytes > ARCHIVE_MAX_BYTES) throw tooMuch(`${ARCHIVE_MAX_BYTES / 1024 / 1024} MB`);
      files.push({
        path: inner,
        content: await readWhole(path.join(folder, inner)),
        isExecutable: (facts.mode & 0o111) !== 0,
        target: null,
      });
    } else {
      throw new ArchiveError(`${inner} is neither a file nor a folder.`);
    }
  }
}

function tooMuch(limit: string): ArchiveError {
  return new ArchiveError(`The folder has more than ${limit}. List files that do not belong to the template in .berthignore.`);
}

/** The size was looked at before: a file that grows meanwhile is read up to the limit. */
async function readWhole(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    return await buffer(handle.createReadStream({ end: ARCHIVE_MAX_BYTES }));
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function rulesOf(folder: string, at: string): Promise<Rules[]> {
  const base = at === '' ? '' : `${at}/`;
  const texts = await Promise.all(IGNORE_FILES.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')));
  const lines = [...(at === '' ? NEVER : []), ...texts];
  return lines.some((line) => line !== '') ? [{ base, matcher: ignore().add(lines.join('\n')) }] : [];
}

function isIgnored(rules: readonly Rules[], inner: string): boolean {
  let ignored = false;
  for (const { base, matcher } of rules) {
    const { ignored: isOut, unignored } = matcher.test(inner.slice(base.length));
    if (isOut) ignored = true;
    if (unignored) ignored = false;
  }
  return ignored;
}
