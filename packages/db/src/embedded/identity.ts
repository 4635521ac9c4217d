import { execFile } from 'node:child_process';
import { access, chmod, chown, constants, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../env.ts';
import { type PostgresBinaries, binariesIn } from './binaries.ts';
import { DatabaseStartError } from '../start-error.ts';

const run = promisify(execFile);

/** How a PostgreSQL program is started, since PostgreSQL refuses to run as root. */
export interface Identity {
  /** What a log line may say about it. */
  readonly kind: 'self' | 'user-namespace' | 'capabilities' | 'other-user';
  /** The account that must own the cluster's folder, as the host sees it. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly binaries: PostgresBinaries;
  command(program: string, args: readonly string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/** nobody: it owns nothing else, and every Linux knows it. */
const NOBODY = 65534;

const self = (binaries: PostgresBinaries): Identity => ({
  kind: 'self',
  owner: undefined,
  binaries,
  command: (program, args) => ({ file: program, args: [...args] }),
});

const userNamespace = (binaries: PostgresBinaries): Identity => ({
  kind: 'user-namespace',
  owner: { uid: 0, gid: 0 },
  binaries,
  command: (program, args) => ({ file: 'unshare', args: ['-U', '--map-user=1000', '--map-group=1000', '--', program, ...args] }),
});

// Another uid that keeps one capability: it may enter the folders above the cluster (such as /root).
const capabilities = (binaries: PostgresBinaries): Identity => ({
  kind: 'capabilities',
  owner: { uid: NOBODY, gid: NOBODY },
  binaries,
  command: (program, args) => ({
    file: 'setpriv',
    args: [
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
      program,
      ...args,
    ],
  }),
});

const otherUser = (binaries: PostgresBinaries): Identity => ({
  kind: 'other-user',
  owner: { uid: NOBODY, gid: NOBODY },
  binaries,
  command: (program, args) => ({ file: program, args: [...args], uid: NOBODY, gid: NOBODY }),
});

/**
 * Chooses how PostgreSQL may run here and proves it by asking the program for its version. As an ordinary user: as that
 * user. As root, the first that works of: a user namespace; another uid that may pass closed folders; another uid, with
 * a copy of the programs beside the data when it cannot enter the repository. Throws one sentence when none works.
 */
export async function chooseIdentity(options: { dataDir: string; binaries: PostgresBinaries }): Promise<Identity> {
  const { dataDir, binaries } = options;
  if (process.getuid?.() !== 0) return self(binaries);
  const tried: string[] = [];
  for (const candidate of [userNamespace(binaries), capabilities(binaries)]) {
    const problem = await whyNot(candidate, dataDir);
    if (problem === undefined) return candidate;
    tried.push(`${candidate.kind}: ${problem}`);
  }
  const direct = otherUser(binaries);
  const problem = await whyNot(direct, dataDir);
  if (problem === undefined) return direct;
  tried.push(`other-user: ${problem}`);
  if (await mayEnter(direct, dataDir)) {
    const copied = otherUser(await copyPrograms(binaries, dataDir));
    const last = await whyNot(copied, dataDir);
    if (last === undefined) return copied;
    tried.push(`other-user with copied programs: ${last}`);
  }
  throw new DatabaseStartError(
    `PostgreSQL must not run as root, and no other way works here (${tried.join('; ')}). ` +
      'Start Berth as an ordinary user, or set BERTH_DATA_DIR to a folder that every user may enter (for example /var/lib/berth), ' +
      'or set BERTH_DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Runs the program and looks into the data folder as that identity would; the reason if either fails. */
async function whyNot(identity: Identity, dataDir: string): Promise<string | undefined> {
  try {
    await runAs(identity, identity.binaries.postgres, ['--version']);
    return (await mayEnter(identity, dataDir)) ? undefined : `it may not enter ${dataDir}`;
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
    return lines.at(-1) ?? 'unknown reason';
  }
}

async function mayEnter(identity: Identity, dataDir: string): Promise<boolean> {
  return await runAs(identity, '/bin/sh', ['-c', 'cd "$1"', 'sh', dataDir]).then(
    () => true,
    () => false,
  );
}

/** Runs a program to its end as that identity; rejects with its output when it fails. */
export async function runAs(identity: Identity, program: string, args: readonly string[], timeoutMs = 60_000): Promise<string> {
  const { file, args: argv, ...ids } = identity.command(program, args);
  const { stdout } = await run(file, argv, { ...ids, cwd: '/', timeout: timeoutMs, env: programEnvironment() });
  return stdout;
}

async function copyPrograms(binaries: PostgresBinaries, dataDir: string): Promise<PostgresBinaries> {
  const target = join(dataDir, 'postgres-programs');
  const marker = await stat(join(target, 'bin', 'postgres')).catch(() => undefined);
  const source = await stat(binaries.postgres);
  if (marker?.size === source.size) return binariesIn(target);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await cp(binaries.root, partial, { recursive: true, verbatimSymlinks: true });
  await rm(target, { recursive: true, force: true });
  await rename(partial, target);
  return binariesIn(target);
}

/** Makes `folder` and everything in it belong to the identity; does nothing when it does already. */
export async function giveTo(identity: Identity, folder: string): Promise<void> {
  const owner = identity.owner;
  if (owner === undefined) return;
  const now = await stat(folder);
  if (now.uid === owner.uid && now.gid === owner.gid) return;
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, folder]);
}

/** A private folder owned by the identity, made with its parents (which others may pass but not read). */
export async function makePrivateFolder(identity: Identity, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (identity.owner !== undefined) await chown(folder, identity.owner.uid, identity.owner.gid);
}

/** Refuses, in one sentence, a cluster that belongs to another account than the one that runs Berth. */
export async function assertReadable(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const owner = await stat(folder).catch(() => undefined);
    throw new DatabaseStartError(
      `The database in ${folder} belongs to another account (uid ${owner?.uid ?? 'unknown'}) than the one that runs Berth. ` +
        `Start Berth as that account, or give it the folder: sudo chown -R ${process.getuid?.() ?? ''} ${dirname(folder)}`,
      { cause: error },
    );
  }
}
