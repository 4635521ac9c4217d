import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { findProgram, hasPrograms, isProgram } from './find-program.ts';

const CACHE = path.join(import.meta.dirname, '../../../../node_modules/.cache/berth-rsync');
const FETCH_TIMEOUT_MS = 30_000;
/** rsync and those of its libraries that other programs seldom bring. */
const PACKAGES = ['rsync', 'libpopt0', 'libxxhash0'];
/** Starts the unpacked program with the libraries beside it. */
const STARTER = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-* "$here"/lib/*-linux-* | tr ' ' ':') exec "$here/usr/bin/rsync" "$@"
`;

/**
 * The path of rsync, which fewer machines have than OpenSSH: of the search path, of the variable `BERTH_TEST_RSYNC`, or fetched once into
 * the cache of `node_modules`, without being installed, where the system's packages are Debian's. Undefined where none of this leads to one.
 */
export async function findRsync(): Promise<string | undefined> {
  // oxlint-disable-next-line node/no-process-env -- only this search knows it
  const given = process.env['BERTH_TEST_RSYNC'];
  if (given) return given;
  const fetched = path.join(CACHE, 'rsync');
  return (await findProgram('rsync')) ?? ((await isProgram(fetched)) ? fetched : await fetchRsync(fetched));
}

async function fetchRsync(fetched: string): Promise<string | undefined> {
  if (!(await hasPrograms('apt-get', 'dpkg-deb'))) return undefined;
  await mkdir(path.dirname(CACHE), { recursive: true });
  const unpacked = await mkdtemp(`${CACHE}-`);
  const archives = await mkdtemp(path.join(tmpdir(), 'berth-rsync-'));
  const run = (file: string, ...args: string[]) => promisify(execFile)(file, args, { cwd: archives, timeout: FETCH_TIMEOUT_MS });
  try {
    await run('apt-get', 'download', ...PACKAGES);
    for (const archive of await readdir(archives)) await run('dpkg-deb', '-x', archive, unpacked);
    const starter = path.join(unpacked, 'rsync');
    await writeFile(starter, STARTER, { mode: 0o755 });
    // One that lacks a library here is none.
    await run(starter, '--version');
    await rename(unpacked, CACHE).catch(() => undefined);
    return (await isProgram(fetched)) ? fetched : undefined;
  } catch {
    return undefined;
  } finally {
    await rm(unpacked, { recursive: true, force: true });
    await rm(archives, { recursive: true, force: true });
  }
}
