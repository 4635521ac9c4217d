import { createHash, randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorkspaceStore } from './workspace-store.ts';

/**
 * Copies the agent's program to `<data>/runtime/<hash of its content>` and returns that folder. Running workspaces read parts of the
 * agent long after their start, so what they were started with has to stay while a new version is built over the original; and the
 * copy can be read by the workspaces' own users wherever the original lies.
 */
export async function installRuntime({ agentDir, dataDir }: { agentDir: string; dataDir: string }): Promise<string> {
  const files = await listFiles(agentDir);
  if (!files.includes('agent.mjs')) throw new Error(`${agentDir} has no agent.mjs: the agent has to be built first.`);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(agentDir, file)));
  const target = join(dataDir, 'runtime', hash.digest('hex').slice(0, 32));
  if (await isFolder(target)) return target;
  const draft = join(dataDir, 'runtime', `new-${randomUUID()}`);
  for (const file of files) {
    const copy = join(draft, file);
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    await copyFile(join(agentDir, file), copy);
    const isProgram = ((await stat(copy)).mode & 0o100) !== 0;
    await chmod(copy, isProgram ? 0o755 : 0o644);
  }
  await chmod(draft, 0o755);
  await chmod(dirname(draft), 0o755);
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    // Somebody else was quicker with the same content.
    if (!(await isFolder(target))) throw error;
  });
  return target;
}

/** Removes the copies that no workspace was started with and that are not `current`. */
export async function removeUnusedRuntimes({ current, store }: { current: string; store: WorkspaceStore }): Promise<void> {
  const used = new Set([basename(current), ...(await store.runtimesInUse())]);
  const folder = dirname(current);
  for (const name of await readdir(folder)) {
    if (!used.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

/** Relative paths of all files, sorted. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return files.toSorted();
}
