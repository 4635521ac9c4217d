import { isUuid } from '@berth/core';
import { chmod, lchown, lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isCode } from '../../error-code.ts';

const Identity = z.object({ pid: z.int().min(2), started: z.string().min(1) });

/** What runs for a workspace, as the process that started it wrote it down before anything of the workspace ran. */
const RunRecord = z.object({
  version: z.literal(1),
  kind: z.enum(['uid_namespace', 'user_namespace', 'uid', 'none']),
  /** The system user that exists for this workspace only, or null. */
  uid: z.int().nullable(),
  /** Which copy of the agent's program it runs: a folder's name. */
  runtime: z.string(),
  processes: z.array(z.object({ agent: z.string(), outer: Identity, init: Identity })),
});
export type RunRecord = z.output<typeof RunRecord>;

export interface WorkspaceFolders {
  readonly home: string;
  /** The folder that is the workspace's /tmp: emptied at each start. */
  readonly tmp: string;
  /** Has the workspace's own passwd, group and profile, for sandboxes that can show them in place of the host's. */
  readonly etc: string;
  /** The workspace's own system user; undefined: it runs as whoever runs the daemon. */
  readonly uid: number | undefined;
}

export interface StoreOptions {
  readonly dataDir: string;
  /** The system users that belong to workspaces, when each gets one. */
  readonly uids: UidRange | undefined;
}

export interface UidRange {
  readonly first: number;
  readonly count: number;
}

/**
 * The folders of the workspaces under the daemon's data folder, and nothing outside of it:
 * `workspaces/<id>/home` (kept until delete), `tmp`, `etc`, `run.json`, `agent-<name>.log`, and
 * `uids/<uid>`, a file that says which workspace a uid belongs to.
 */
export class WorkspaceStore {
  readonly #dataDir: string;
  readonly #uids: UidRange | undefined;

  constructor({ dataDir, uids }: StoreOptions) {
    this.#dataDir = dataDir;
    this.#uids = uids;
  }

  /** The folder of a workspace. Throws on anything but a UUID, so no id can lead out of the data folder. */
  folder(workspaceId: string): string {
    if (!isUuid(workspaceId)) throw new Error(`${JSON.stringify(workspaceId)} is not a workspace id.`);
    return join(this.#dataDir, 'workspaces', workspaceId.toLowerCase());
  }

  logFile(workspaceId: string, agentName: string): string {
    if (!/^[A-Za-z0-9_-]+$/.test(agentName)) throw new Error(`${JSON.stringify(agentName)} is not an agent name.`);
    return join(this.folder(workspaceId), `agent-${agentName}.log`);
  }

  /** Makes what is missing of a workspace's folders; the home keeps its content, /tmp is emptied. */
  async prepare(workspaceId: string, user: { name: string; home: string; shell: string }): Promise<WorkspaceFolders> {
    const folder = this.folder(workspaceId);
    const [home, tmp] = [join(folder, 'home'), join(folder, 'tmp')];
    await mkdir(folder, { recursive: true });
    const uid = this.#uids === undefined ? undefined : await this.#claimUid(workspaceId, this.#uids);
    // The workspace's user has to pass through, but gets no list of what is beside its home.
    await chmod(folder, uid === undefined ? 0o700 : 0o711);
    await removeTree(tmp);
    await mkdir(tmp, { mode: 0o700 });
    await mkdir(home, { recursive: true, mode: 0o700 });
    if (uid !== undefined) {
      await lchown(tmp, uid, uid);
      if ((await stat(home)).uid !== uid) await giveTree(home, uid);
    }
    const etc = join(folder, 'etc');
    await mkdir(etc, { recursive: true, mode: 0o755 });
    const shown = uid ?? 1000;
    const account = { name: user.name, id: shown };
    await writeAccounts('passwd', etc, { ...account, entry: `${user.name}:x:${shown}:${shown}::${user.home}:${user.shell}` });
    await writeAccounts('group', etc, { ...account, entry: `${user.name}:x:${shown}:` });
    // A login shell begins with the system's PATH, which does not know our Node.
    const profile = await readFile('/etc/profile', 'utf8').catch(() => '');
    await writeFile(join(etc, 'profile'), `${profile}\nPATH="/berth/bin:$PATH"\nexport PATH\n`, { mode: 0o644 });
    return { home, tmp, etc, uid };
  }

  /** The same uid for a workspace as long as it exists, and no other workspace's. */
  async #claimUid(workspaceId: string, range: UidRange): Promise<number> {
    const folder = join(this.#dataDir, 'uids');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const first = Number.parseInt(workspaceId.slice(0, 8), 16) % range.count;
    for (let step = 0; step < range.count; step += 1) {
      const uid = range.first + ((first + step) % range.count);
      const file = join(folder, String(uid));
      try {
        const handle = await open(file, 'wx', 0o600);
        await handle.writeFile(workspaceId).finally(() => handle.close());
        return uid;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
        if ((await readFile(file, 'utf8')) === workspaceId) return uid;
      }
    }
    throw new Error('Every user id for workspaces is taken.');
  }

  /** What the last start wrote down; undefined when nothing was started or it was stopped; `unreadable` when nobody knows. */
  async readRun(workspaceId: string): Promise<RunRecord | 'unreadable' | undefined> {
    try {
      return RunRecord.parse(JSON.parse(await readFile(join(this.folder(workspaceId), 'run.json'), 'utf8')));
    } catch (error) {
      return isCode(error, 'ENOENT') ? undefined : 'unreadable';
    }
  }

  /** Replaces the record in one step: a reader sees the old one or the new one. */
  async writeRun(workspaceId: string, record: RunRecord): Promise<void> {
    const file = join(this.folder(workspaceId), 'run.json');
    await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  }

  /** The copies of the agent's program that workspaces were started with and not stopped since. */
  async runtimesInUse(): Promise<string[]> {
    const ids = (await readdir(join(this.#dataDir, 'workspaces')).catch(() => [])).filter(isUuid);
    const records = await Promise.all(ids.map((id) => this.readRun(id)));
    return records.flatMap((record) => (typeof record === 'object' ? record.runtime : []));
  }

  async clearRun(workspaceId: string): Promise<void> {
    await rm(join(this.folder(workspaceId), 'run.json'), { force: true });
  }

  async removeHome(workspaceId: string): Promise<void> {
    await removeTree(join(this.folder(workspaceId), 'home'));
  }

  /** Removes all that a workspace has on this host. Links inside its home are removed, never followed. */
  async remove(workspaceId: string): Promise<void> {
    await removeTree(this.folder(workspaceId));
    const folder = join(this.#dataDir, 'uids');
    for (const name of await readdir(folder).catch(() => [])) {
      const file = join(folder, name);
      if ((await readFile(file, 'utf8').catch(() => '')) === workspaceId) await rm(file, { force: true });
    }
  }
}

/** `rm -rf` that also removes folders whose owner took the write permission away (as package caches do). */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isCode(error, 'EACCES') && !isCode(error, 'EPERM') && !isCode(error, 'ENOTEMPTY')) throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openFolders(path: string): Promise<void> {
  const info = await lstat(path);
  if (!info.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}

async function giveTree(path: string, uid: number): Promise<void> {
  const info = await lstat(path);
  await lchown(path, uid, uid);
  if (!info.isDirectory()) return;
  for (const name of await readdir(path)) await giveTree(join(path, name), uid);
}

/** The host's account list plus the workspace's user, without who had that name or number. */
async function writeAccounts(file: string, etc: string, account: { name: string; id: number; entry: string }): Promise<void> {
  const lines = (await readFile(join('/etc', file), 'utf8').catch(() => '')).split('\n').filter((line) => {
    const [name, , id] = line.split(':');
    return line !== '' && name !== account.name && id !== String(account.id);
  });
  await writeFile(join(etc, file), `${[...lines, account.entry].join('\n')}\n`, { mode: 0o644 });
}
