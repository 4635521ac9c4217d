import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isCode } from '../../error-code.ts';

/** How long what a build left here may still be needed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

const State = z.looseObject({ resources: z.array(z.unknown()).default([]) });

/** Where a build's state lies while Terraform works on it. */
export interface HeldState {
  readonly path: string;
  /** Whether there is nothing that Terraform would have to take away. */
  readonly isEmpty: boolean;
  /** Whether it goes on from what a build here did without the server's hearing of it. */
  readonly isRecovered: boolean;
}

/**
 * The states of workspaces while they are worked on, one folder each below `directory`. They outlive the daemon: when it dies in the midst
 * of a build, the next attempt goes on from what was really made, and nothing is made twice or forgotten.
 */
export class StateStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * The state that a build of this workspace has to start from: the server's, unless a build here started from that very state and never
   * reported its end; then what that one left.
   */
  async hold(workspaceId: string, fromServer: Uint8Array): Promise<HeldState> {
    const { folder, path, origin } = this.#paths(workspaceId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hash = createHash('sha256').update(fromServer).digest('hex');
    const left = await readOptional(path);
    const isRecovered =
      left !== undefined && left.length > 0 && (await readOptional(origin))?.toString() === hash && !left.equals(fromServer);
    if (!isRecovered) {
      // What Terraform keeps beside it belongs to another state.
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(origin, hash, { mode: 0o600 });
      if (fromServer.length > 0) await writeFile(path, fromServer, { mode: 0o600 });
    }
    return { path, isEmpty: !hasResources(isRecovered ? left : fromServer), isRecovered };
  }

  /** What is to be given to the server: nothing when nothing is left. */
  async read(workspaceId: string): Promise<Uint8Array> {
    const state = await readOptional(this.#paths(workspaceId).path);
    return state === undefined || !hasResources(state) ? new Uint8Array() : state;
  }

  /** Once at start: forgets states that nobody asked for in a long time. */
  async tidy(now: Date): Promise<void> {
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const folder = join(this.#directory, name);
      const touched = await stat(folder).catch(() => undefined);
      if (touched !== undefined && now.getTime() - touched.mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true });
    }
  }

  #paths(workspaceId: string) {
    const folder = join(this.#directory, workspaceId);
    return { folder, path: join(folder, 'terraform.tfstate'), origin: join(folder, 'origin') };
  }
}

/** What cannot be read counts as something: Terraform then says what is wrong with it. */
function hasResources(state: Uint8Array): boolean {
  if (state.length === 0) return false;
  try {
    return State.parse(JSON.parse(Buffer.from(state).toString('utf8'))).resources.length > 0;
  } catch {
    return true;
  }
}

async function readOptional(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
