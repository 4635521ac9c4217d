import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Log } from '@berth/api/server';
import type { AgentArchitecture, AgentFiles } from '@berth/protocol/agent-delivery';
import { agentArchitecture, agentBundleName, listAgentFiles, packAgent } from '@berth/protocol/agent-delivery';
import { pack } from 'tar-stream';
import type { PackageSource } from './agent-packages.ts';

export interface AgentBundleOptions {
  /** The built agent. */
  readonly agentDir: string;
  /** The Node.js that it comes with: the one of this machine. */
  readonly nodeBinary: string;
  /** Where bundles are kept; whoever runs the server may put those of other processors there. */
  readonly folder: string;
  readonly log: Log;
  /** Where the parts of agents for other processors come from; without it there are none but those that were put into the folder. */
  readonly packages?: PackageSource;
  /** Milliseconds for which a request waits for such parts. */
  readonly patienceMs?: number;
  /** For tests. */
  readonly platform?: { readonly system: string; readonly architecture: string };
}

export interface AgentBundle {
  readonly file: string;
  readonly bytes: number;
  /** Changes with the content. */
  readonly tag: string;
}

/** An agent that is on its way, or whose parts cannot be had now. The message is for people. */
export class NotYet extends Error {
  readonly retrySeconds: number;

  constructor(message: string, retrySeconds: number) {
    super(message);
    this.retrySeconds = retrySeconds;
  }
}

/** What Node.js and npm call the processors for which agents are made of packages. */
const PACKAGED: Readonly<Partial<Record<AgentArchitecture, string>>> = { amd64: 'x64', arm64: 'arm64' };
const FETCH_TIMEOUT_MS = 10 * 60_000;
const PATIENCE_MS = 20_000;
/** After a failure nobody asks the registry for so long. */
const FAILURE_SECONDS = 60;

/** Quick rather than small: level 1 makes 50 MB of Node.js in a third of the time that 45 MB take. */
const LEVEL = 1;

/**
 * The agents that this server has to hand out. The one for its own processor is made of what the server has itself, when it is first asked
 * for, and kept on disk. For the other processor Node.js and the terminal's native part come from the package registry, once.
 */
export class AgentBundles {
  readonly #options: AgentBundleOptions;
  readonly #own: AgentArchitecture | undefined;
  readonly #making = new Map<AgentArchitecture, Promise<AgentBundle>>();
  readonly #failures = new Map<AgentArchitecture, { readonly message: string; readonly at: number }>();
  /** One download at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: AgentBundleOptions) {
    this.#options = options;
    const { system, architecture } = options.platform ?? { system: process.platform, architecture: process.arch };
    this.#own = system === 'linux' ? agentArchitecture(architecture) : undefined;
  }

  /** The processors for which there is an agent, or can be one. */
  async architectures(): Promise<readonly string[]> {
    const names = await readdir(this.#options.folder).catch(() => []);
    const placed = names.flatMap((name) => /^berth-agent-linux-([a-z0-9]+)\.tar\.gz$/.exec(name)?.[1] ?? []);
    const fetched = this.#options.packages === undefined ? [] : Object.keys(PACKAGED);
    return [...new Set([...(this.#own === undefined ? [] : [this.#own]), ...placed, ...fetched])].toSorted();
  }

  /**
   * Undefined when there is none for the processor. What somebody put into the folder wins.
   *
   * @throws NotYet while its parts are fetched, and for a minute after they could not be.
   */
  async find(architecture: AgentArchitecture): Promise<AgentBundle | undefined> {
    const placed = await describe(join(this.#options.folder, agentBundleName(architecture)));
    if (placed !== undefined) return placed;
    if (architecture === this.#own) return await this.#made(architecture, () => this.#makeOwn(architecture));
    const { packages } = this.#options;
    const cpu = PACKAGED[architecture];
    if (packages === undefined || cpu === undefined) return undefined;
    const made = this.#made(architecture, () => this.#fetched(architecture, () => this.#makeOf(packages, architecture, cpu)));
    return await this.#inTime(architecture, made);
  }

  /** Makes it once for all who ask. */
  async #made(architecture: AgentArchitecture, make: () => Promise<AgentBundle>): Promise<AgentBundle> {
    const begun = this.#making.get(architecture) ?? make();
    this.#making.set(architecture, begun);
    const forget = (): void => {
      if (this.#making.get(architecture) === begun) this.#making.delete(architecture);
    };
    const made = await begun.catch((error: unknown) => {
      forget();
      throw error;
    });
    if ((await describe(made.file)) !== undefined) return made;
    // Somebody cleaned up.
    forget();
    return await this.#made(architecture, make);
  }

  async #fetched(architecture: AgentArchitecture, make: () => Promise<AgentBundle>): Promise<AgentBundle> {
    const failure = this.#failures.get(architecture);
    if (failure !== undefined) {
      const seconds = FAILURE_SECONDS - Math.floor((performance.now() - failure.at) / 1000);
      if (seconds > 0) throw new NotYet(failure.message, seconds);
    }
    const mine = this.#turn.then(make);
    this.#turn = mine.catch(() => undefined);
    try {
      return await mine;
    } catch (error) {
      const message = `The agent for linux on ${architecture} cannot be made now: ${error instanceof Error ? error.message : String(error)}`;
      this.#failures.set(architecture, { message, at: performance.now() });
      this.#options.log.warn({ err: error, architecture }, 'the parts of an agent could not be fetched');
      throw new NotYet(message, FAILURE_SECONDS);
    }
  }

  /** Whoever asks is told to come back rather than kept for minutes. */
  async #inTime(architecture: AgentArchitecture, made: Promise<AgentBundle>): Promise<AgentBundle> {
    made.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = (): void =>
        reject(new NotYet(`The agent for linux on ${architecture} is being made for the first time: try again in a moment.`, 10));
      timer = setTimeout(giveUp, this.#options.patienceMs ?? PATIENCE_MS);
    });
    try {
      return await Promise.race([made, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #makeOwn(architecture: AgentArchitecture): Promise<AgentBundle> {
    const { agentDir, nodeBinary } = this.#options;
    const node = await stat(nodeBinary);
    // Node.js is large, so when and how long it is stands for it.
    const key = await fingerprint(`${process.version} ${node.size} ${node.mtimeMs}`, agentDir);
    return await this.#pack(architecture, key, (use) => use({ agentDir, nodeBinary }));
  }

  /** Of the server's own agent, with the parts that are built for the other processor. */
  async #makeOf(packages: PackageSource, architecture: AgentArchitecture, cpu: string): Promise<AgentBundle> {
    const { agentDir, folder } = this.#options;
    const [node, terminal] = [`node-linux-${cpu}`, `node-pty-linux-${cpu}`];
    const key = await fingerprint(await packages.fingerprint([node, `@lydell/${terminal}`]), agentDir);
    return await this.#pack(architecture, key, async (use) => {
      const parts = join(folder, `parts-${randomUUID()}`);
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      try {
        await packages.unpack(node, join(parts, 'node'), signal);
        const theirs = join(parts, 'agent');
        // What is compiled or built for this processor stays here.
        const isPortable = (file: string): boolean =>
          !/\/(?:cache|node-pty-(?:linux|darwin|win32)-\w+)(?:\/|$)/.test(file.slice(agentDir.length));
        await cp(agentDir, theirs, { recursive: true, filter: isPortable });
        await packages.unpack(`@lydell/${terminal}`, join(theirs, 'node_modules', '@lydell', terminal), signal);
        await use({ agentDir: theirs, nodeBinary: join(parts, 'node', 'bin', 'node') });
      } finally {
        await rm(parts, { recursive: true, force: true });
      }
    });
  }

  /** The kept archive of this content, or a new one of the files that `provide` hands over. */
  async #pack(architecture: AgentArchitecture, key: string, provide: (use: Use) => Promise<void>): Promise<AgentBundle> {
    const { folder, log } = this.#options;
    const startedAt = performance.now();
    const kept = join(folder, 'made');
    const file = join(kept, `${architecture}-${key}.tar.gz`);
    const known = await describe(file, key);
    if (known !== undefined) return known;
    await mkdir(kept, { recursive: true, mode: 0o700 });
    const draft = join(kept, `${architecture}-new-${randomUUID()}`);
    await provide(async (files) => {
      const tar = pack();
      const filling = packAgent(tar, files).then(
        () => tar.finalize(),
        (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      await pipeline(tar, createGzip({ level: LEVEL }), createWriteStream(draft));
      await filling;
    });
    for (const name of await readdir(kept)) {
      const isOlder = name.startsWith(`${architecture}-`) && join(kept, name) !== draft;
      if (isOlder) await rm(join(kept, name), { force: true });
    }
    await rename(draft, file);
    const made = await describe(file, key);
    if (made === undefined) throw new Error(`${file} has gone while it was made.`);
    log.info({ architecture, bytes: made.bytes, ms: Math.round(performance.now() - startedAt) }, 'the agent is packed for download');
    return made;
  }
}

type Use = (files: AgentFiles) => Promise<void>;

async function describe(file: string, tag?: string): Promise<AgentBundle | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || !info.isFile()) return undefined;
  return { file, bytes: info.size, tag: tag ?? `${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}` };
}

/** Says what the bundle is made of: all of the agent, and what stands for the rest. */
async function fingerprint(rest: string, agentDir: string): Promise<string> {
  const hash = createHash('sha256').update(`${rest} ${LEVEL}\n`);
  for (const file of await listAgentFiles(agentDir)) {
    hash.update(`${file}\0`);
    hash.update(await readFile(join(agentDir, file)));
  }
  return hash.digest('hex').slice(0, 32);
}
