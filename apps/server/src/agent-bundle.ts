import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Log } from '@berth/api/server';
import type { AgentArchitecture } from '@berth/protocol/agent-delivery';
import { agentArchitecture, agentBundleName, listAgentFiles, packAgent } from '@berth/protocol/agent-delivery';
import { pack } from 'tar-stream';

export interface AgentBundleOptions {
  /** The built agent. */
  readonly agentDir: string;
  /** The Node.js that it comes with: the one of this machine. */
  readonly nodeBinary: string;
  /** Where bundles are kept; whoever runs the server may put those of other processors there. */
  readonly folder: string;
  readonly log: Log;
  /** For tests. */
  readonly platform?: { readonly system: string; readonly architecture: string };
}

export interface AgentBundle {
  readonly file: string;
  readonly bytes: number;
  /** Changes with the content. */
  readonly tag: string;
}

/** Quick rather than small: level 1 makes 50 MB of Node.js in a third of the time that 45 MB take. */
const LEVEL = 1;

/**
 * The agents that this server has to hand out. The one for its own processor is made of what the server has itself, when it is first asked
 * for, and kept on disk.
 */
export class AgentBundles {
  readonly #options: AgentBundleOptions;
  readonly #own: AgentArchitecture | undefined;
  #making: Promise<AgentBundle> | undefined;

  constructor(options: AgentBundleOptions) {
    this.#options = options;
    const { system, architecture } = options.platform ?? { system: process.platform, architecture: process.arch };
    this.#own = system === 'linux' ? agentArchitecture(architecture) : undefined;
  }

  /** The processors for which there is an agent. */
  async architectures(): Promise<readonly string[]> {
    const names = await readdir(this.#options.folder).catch(() => []);
    const placed = names.flatMap((name) => /^berth-agent-linux-([a-z0-9]+)\.tar\.gz$/.exec(name)?.[1] ?? []);
    return [...new Set([...(this.#own === undefined ? [] : [this.#own]), ...placed])].toSorted();
  }

  /** Undefined when there is none for the processor. What somebody put into the folder wins. */
  async find(architecture: AgentArchitecture): Promise<AgentBundle | undefined> {
    const placed = await describe(join(this.#options.folder, agentBundleName(architecture)));
    if (placed !== undefined) return placed;
    if (architecture !== this.#own) return undefined;
    this.#making ??= this.#make(architecture).catch((error: unknown) => {
      this.#making = undefined;
      throw error;
    });
    const made = await this.#making;
    // Somebody may have cleaned up.
    if ((await describe(made.file)) !== undefined) return made;
    this.#making = undefined;
    return await this.find(architecture);
  }

  async #make(architecture: AgentArchitecture): Promise<AgentBundle> {
    const { agentDir, nodeBinary, folder, log } = this.#options;
    const startedAt = performance.now();
    const key = await fingerprint(nodeBinary, agentDir);
    const kept = join(folder, 'made');
    const file = join(kept, `${architecture}-${key}.tar.gz`);
    const known = await describe(file, key);
    if (known !== undefined) return known;
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true, mode: 0o700 });
    const draft = join(kept, `new-${randomUUID()}`);
    const tar = pack();
    const filling = packAgent(tar, { nodeBinary, agentDir }).then(
      () => tar.finalize(),
      (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    await pipeline(tar, createGzip({ level: LEVEL }), createWriteStream(draft));
    await filling;
    await rename(draft, file);
    const made = await describe(file, key);
    if (made === undefined) throw new Error(`${file} has gone while it was made.`);
    log.info({ architecture, bytes: made.bytes, ms: Math.round(performance.now() - startedAt) }, 'the agent is packed for download');
    return made;
  }
}

async function describe(file: string, tag?: string): Promise<AgentBundle | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || !info.isFile()) return undefined;
  return { file, bytes: info.size, tag: tag ?? `${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}` };
}

/** Says what the bundle is made of: all of the agent, and of Node.js, which is large, when and how long it is. */
async function fingerprint(nodeBinary: string, agentDir: string): Promise<string> {
  const node = await stat(nodeBinary);
  const hash = createHash('sha256').update(`${process.version} ${node.size} ${node.mtimeMs} ${LEVEL}\n`);
  for (const file of await listAgentFiles(agentDir)) {
    hash.update(`${file}\0`);
    hash.update(await readFile(join(agentDir, file)));
  }
  return hash.digest('hex').slice(0, 32);
}
