import { open, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';

export interface AgentFiles {
  /** The built agent. */
  readonly agentDir: string;
  /** The Node.js that runs it. */
  readonly nodeBinary: string;
}

/** Relative paths of all files of a built agent, sorted. Rejects when it is not built. */
export async function listAgentFiles(agentDir: string): Promise<string[]> {
  const entries = await readdir(agentDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => relative(agentDir, join(entry.parentPath, entry.name)));
  if (!files.includes('agent.mjs')) throw new Error(`${agentDir} has no agent.mjs: the agent has to be built first.`);
  return files.toSorted();
}

/** Adds `node` and `agent/…` to an archive, below `folder` (empty, or with a slash at its end). Owned by root, readable by all, the same each time. */
export async function packAgent(tar: Pack, { agentDir, nodeBinary }: AgentFiles, folder = ''): Promise<void> {
  await add(tar, `${folder}node`, nodeBinary, 0o755);
  for (const file of await listAgentFiles(agentDir)) {
    const from = join(agentDir, file);
    await add(tar, `${folder}agent/${file}`, from, ((await stat(from)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function add(tar: Pack, name: string, from: string, mode: number): Promise<void> {
  const handle = await open(from);
  try {
    const { size } = await handle.stat();
    await pipeline(handle.createReadStream({ autoClose: false }), tar.entry({ name, size, mode, mtime: new Date(0) }));
  } finally {
    await handle.close();
  }
}
