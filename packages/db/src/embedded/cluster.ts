import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Identity, assertReadable, giveTo, makePrivateFolder, runAs } from './identity.ts';
import { DatabaseStartError } from '../start-error.ts';

/** The version that the bundled programs can read; PostgreSQL changes its files with each major version. */
const MAJOR = '18';

export const SUPERUSER = 'berth';

const PARTIAL = '.partial-';

/** A cluster's place in the data folder. */
export interface ClusterPlace {
  readonly folder: string;
  readonly passwordFile: string;
  readonly logFile: string;
}

export function placeIn(dataDir: string): ClusterPlace {
  return {
    folder: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres-password'),
    logFile: join(dataDir, 'postgres.log'),
  };
}

/**
 * Makes sure that a complete cluster lies in its place and that the identity may use it. A new one is made aside and
 * renamed at the end, so that a crash in the middle leaves nothing half made. Returns the superuser's password.
 */
export async function ensureCluster(options: { place: ClusterPlace; identity: Identity; durable: boolean }): Promise<string> {
  const { place, identity, durable } = options;
  const version = (await readFile(join(place.folder, 'PG_VERSION'), 'utf8').catch(readableOrAbsent(place.folder)))?.trim();
  if (version === undefined) return await createCluster({ place, identity, durable });
  if (version !== MAJOR) {
    throw new DatabaseStartError(
      `The database in ${place.folder} was written by PostgreSQL ${version}; this Berth brings PostgreSQL ${MAJOR}. ` +
        'Start the Berth that wrote it, or move the data with pg_dump and pg_restore.',
    );
  }
  await giveTo(identity, place.folder);
  await assertReadable(place.folder);
  return await readPassword(place);
}

const readableOrAbsent =
  (folder: string) =>
  async (error: NodeJS.ErrnoException): Promise<undefined> => {
    if (error.code === 'ENOENT') return;
    await assertReadable(folder);
    throw error;
  };

async function readPassword(place: ClusterPlace): Promise<string> {
  try {
    return (await readFile(place.passwordFile, 'utf8')).trim();
  } catch (error) {
    throw new DatabaseStartError(
      `The password of the database in ${place.folder} cannot be read from ${place.passwordFile}. Restore that file.`,
      {
        cause: error,
      },
    );
  }
}

async function createCluster(options: { place: ClusterPlace; identity: Identity; durable: boolean }): Promise<string> {
  const { place, identity, durable } = options;
  const password = randomBytes(24).toString('base64url');
  await removePartialClusters(place);
  // A name of its own: the initdb of a killed start may still be writing into the last one.
  const partial = `${place.folder}${PARTIAL}${randomBytes(6).toString('hex')}`;
  await makePrivateFolder(identity, partial);
  const passwordForInit = `${partial}-password`;
  await writePrivate(passwordForInit, password);
  if (identity.owner !== undefined) await chown(passwordForInit, identity.owner.uid, identity.owner.gid);
  try {
    await runAs(identity, identity.binaries.initdb, [
      '-D',
      partial,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordForInit}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order and case rules on every system, without its locales.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    await rm(passwordForInit, { force: true });
  }
  // The password first: a cluster without its password could not be used again.
  await writePrivate(place.passwordFile, password);
  await rename(partial, place.folder);
  return password;
}

async function removePartialClusters(place: ClusterPlace): Promise<void> {
  const prefix = `${basename(place.folder)}${PARTIAL}`;
  for (const name of await readdir(dirname(place.folder))) {
    if (!name.startsWith(prefix)) continue;
    await rm(join(dirname(place.folder), name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function writePrivate(file: string, text: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}
