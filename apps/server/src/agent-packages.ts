import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** What the agent needs of packages that are built for one processor. */
export interface PackageSource {
  /** Changes with the content of these packages. @throws when one is not known. */
  fingerprint(names: readonly string[]): Promise<string>;
  /** Puts the files of a package into a folder, after the content has proved to be the expected one. */
  unpack(name: string, folder: string, signal: AbortSignal): Promise<void>;
}

export interface NpmPackagesOptions {
  /** The lockfile of this installation: it says which version of a package, and what it has in it. */
  readonly lockfile: string;
  /** What npm runs with: its registry, its proxies, its credentials. */
  readonly environment: NodeJS.ProcessEnv;
  /** For downloads, which are removed. */
  readonly scratch: string;
}

/** Packages from the registry that npm is set up with. Nothing of a package is run. */
export function npmPackages({ lockfile, environment, scratch }: NpmPackagesOptions): PackageSource {
  const locked = async (name: string): Promise<Locked> => lockedPackage(await readFile(lockfile, 'utf8'), name);
  return {
    fingerprint: async (names) => (await Promise.all(names.map(locked))).map(({ integrity }) => integrity).join(' '),
    unpack: async (name, folder, signal) => {
      const { version, integrity } = await locked(name);
      const place = join(scratch, randomUUID());
      await mkdir(place, { recursive: true, mode: 0o700 });
      try {
        const args = ['pack', `${name}@${version}`, '--pack-destination', place, '--ignore-scripts', '--loglevel=error'];
        await promisify(execFile)('npm', args, { cwd: place, env: environment, signal, maxBuffer: 1024 * 1024 }).catch((error: unknown) => {
          throw new Error(`npm could not fetch ${name}@${version}: ${reasonOf(error)}`, { cause: error });
        });
        const archive = (await readdir(place)).find((file) => file.endsWith('.tgz'));
        if (archive === undefined) throw new Error(`npm left no archive of ${name}@${version}.`);
        await requireContent(join(place, archive), integrity);
        await unpackArchive(join(place, archive), folder);
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}

interface Locked {
  readonly version: string;
  /** `sha512-` and the hash in base64. */
  readonly integrity: string;
}

/** The first entry of a package in the lockfile. */
export function lockedPackage(lockfile: string, name: string): Locked {
  const escaped = name.replaceAll(/[^\w@/-]/g, String.raw`\$&`);
  const pattern = new RegExp(`^  '?${escaped}@([0-9][^'(:]*)'?:\\n    resolution: \\{integrity: (sha512-[A-Za-z0-9+/=]+)`, 'm');
  const [, version, integrity] = pattern.exec(lockfile) ?? [];
  if (version === undefined || integrity === undefined) throw new Error(`The lockfile does not name ${name}.`);
  return { version, integrity };
}

async function requireContent(file: string, integrity: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== integrity) throw new Error('A package is not the one that the lockfile names: its content differs.');
}

/** Files only: what was checked has nothing else that the agent needs. */
async function unpackArchive(archive: string, folder: string): Promise<void> {
  const entries = extract();
  const reading = pipeline(createReadStream(archive), createGunzip(), entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type, mode } = entry.header;
    const path = /^package\/((?:[\w@.+-]+\/)*[\w@.+-]+)$/.exec(name)?.[1];
    if (type !== 'file' || path === undefined || path.split('/').includes('..')) {
      entry.resume();
      continue;
    }
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(entry, createWriteStream(file, { mode: (mode & 0o100) === 0 ? 0o644 : 0o755 }));
  }
  await reading;
}

/** What npm said last, or why there is no npm. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'there is no npm here';
  if (error.name === 'AbortError') return 'it took too long';
  const said = 'stderr' in error ? String(error.stderr).trim() : '';
  return (
    said
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.slice(0, 300) ?? error.message.slice(0, 300)
  );
}
