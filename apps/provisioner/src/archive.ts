import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import type { Header } from 'tar-stream';
import { z } from 'zod';
import { DriverError } from './driver.ts';
import { isCode } from './error-code.ts';

/** What a template archive may hold. Sizes in bytes. */
const ARCHIVE_LIMITS = { bytes: 100 * 1024 * 1024, entries: 10_000, path: 1024, depth: 32 } as const;

type Entry = ReturnType<typeof extract> extends AsyncIterable<infer E> ? E : never;

export interface ArchiveLimits {
  readonly bytes: number;
  readonly entries: number;
}

/**
 * Unpacks a tar into `directory`, which exists and is empty. Only plain files and folders with paths inside of it are
 * made, each once, and none larger in sum than the limits. Rejects with a `DriverError` that names the entry and the rule.
 */
export async function unpackTar(
  source: Readable,
  { directory, limits = ARCHIVE_LIMITS, signal }: { directory: string; limits?: ArchiveLimits; signal?: AbortSignal },
): Promise<void> {
  const tar = extract();
  // What tar itself adds (headers, padding, long names) counts too: so nothing unbounded is ever held in memory.
  const archive = limit(limits.bytes + limits.entries * 2048);
  const done = pipeline(source, archive, tar, { signal });
  // Whatever ends the loop below also ends the pipeline; its own failure is reported from here.
  const failure = done.catch((error: unknown) => error);
  try {
    await unpackEntries(tar, { directory, limits });
    await done;
  } catch (error) {
    tar.destroy();
    const first = await failure;
    if (error instanceof DriverError) throw error;
    if (first instanceof DriverError) throw first;
    signal?.throwIfAborted();
    // The pipeline knows the reason when it failed first; when the loop did, it only knows that it was cut off.
    const cause = first instanceof Error && !isCode(first, 'ERR_STREAM_PREMATURE_CLOSE') ? first : error;
    throw new DriverError(`The template archive cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function unpackEntries(
  tar: AsyncIterable<Entry>,
  { directory, limits }: { directory: string; limits: ArchiveLimits },
): Promise<void> {
  let [bytes, entries] = [0, 0];
  const seen = new Set<string>();
  for await (const entry of tar) {
    const { header } = entry;
    entries += 1;
    if (entries > limits.entries) throw new DriverError(`The template archive has more than ${limits.entries} entries.`);
    bytes += header.size;
    if (bytes > limits.bytes) throw new DriverError(`The template archive unpacks to more than ${limits.bytes} bytes.`);
    const path = safePath(header);
    if (path !== '') {
      if (seen.has(path) && header.type !== 'directory') throw refusal(header, 'is there twice');
      seen.add(path);
      await unpackEntry(entry, join(directory, path));
    }
    entry.resume();
  }
}

async function unpackEntry(entry: Entry, target: string): Promise<void> {
  const { header } = entry;
  switch (header.type) {
    case 'directory':
      await mkdir(target, { recursive: true, mode: 0o700 }).catch(() => {
        throw refusal(header, 'is a file and a folder');
      });
      return;
    case 'file':
    case 'contiguous-file': {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 }).catch(() => {
        throw refusal(header, 'lies under a file');
      });
      const executable = (header.mode & 0o100) !== 0;
      const file = await open(target, 'wx', executable ? 0o700 : 0o600);
      try {
        for await (const chunk of entry) await file.writeFile(z.instanceof(Uint8Array).parse(chunk));
      } finally {
        await file.close();
      }
      return;
    }
    default:
      throw refusal(header, `is a ${header.type}: only files and folders are allowed`);
  }
}

/** The entry's path below the folder; '' for the folder itself. */
function safePath(header: Header): string {
  const { name } = header;
  if (name.length > ARCHIVE_LIMITS.path) throw refusal(header, `has a path longer than ${ARCHIVE_LIMITS.path} characters`);
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw refusal(header, 'has an absolute path');
  if (name.includes('\0') || name.includes('\\')) throw refusal(header, 'has a character in its path that is not allowed');
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw refusal(header, 'leads out of the folder');
  if (parts.length > ARCHIVE_LIMITS.depth) throw refusal(header, `lies deeper than ${ARCHIVE_LIMITS.depth} folders`);
  return parts.join('/');
}

function refusal(header: Header, rule: string): DriverError {
  return new DriverError(`The template archive is refused: ${JSON.stringify(header.name.slice(0, 200))} ${rule}.`);
}

function limit(max: number): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > max) done(new DriverError(`The template archive has more than ${max} bytes.`));
      else done(null, chunk);
    },
  });
}

export interface ArchiveSource {
  readonly serverUrl: string;
  readonly key: string;
}

const DOWNLOAD_MS = 120_000;

/** Opens the template archive of a job: `GET /api/v2/files/{id}` with the provisioner's key. */
export async function downloadArchive({ serverUrl, key }: ArchiveSource, fileId: string, signal: AbortSignal): Promise<Readable> {
  const response = await fetch(`${serverUrl}/api/v2/files/${encodeURIComponent(fileId)}`, {
    headers: { 'Service-Provisioner-Key': key },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new DriverError(`The template archive could not be downloaded: the server answered ${response.status}.`);
  }
  return Readable.fromWeb(response.body);
}
