import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

export type OutputListener = (chunk: Buffer, stream: 'stdout' | 'stderr') => void;

/** Where the output of a script and of what it leaves behind comes out. */
export interface PipePaths {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Pipes with a name. Whoever writes holds their reading end open too, so that a program in the background neither breaks nor loses anything
 * while this process becomes a newer one, which then reads on.
 */
export class ScriptPipes {
  readonly paths: PipePaths;
  readonly #open = new Set<Socket>();
  #read: Promise<unknown> = Promise.resolve();

  constructor(paths: PipePaths) {
    this.paths = paths;
  }

  /** Undefined where there can be none: without `mkfifo`, or without a place to write. */
  static async make(folder: string): Promise<ScriptPipes | undefined> {
    const home = path.join(folder, 'output');
    const name = randomUUID();
    const paths = { stdout: path.join(home, `${name}.out`), stderr: path.join(home, `${name}.err`) };
    try {
      await mkdir(home, { recursive: true, mode: 0o700 });
      await promisify(execFile)('mkfifo', ['-m', '600', paths.stdout, paths.stderr], { timeout: 10_000 });
      return new ScriptPipes(paths);
    } catch {
      return undefined;
    }
  }

  /** What a program gets as its output; to be closed here once it has started. */
  writingEnds(): [stdout: number, stderr: number] {
    return [openSync(this.paths.stdout, 'r+'), openSync(this.paths.stderr, 'r+')];
  }

  /** Reads until nobody writes any more; resolves then, with the pipes gone, and also after `pause`. */
  async read(onOutput: OutputListener): Promise<void> {
    this.#read = Promise.all([this.#drain('stdout', onOutput), this.#drain('stderr', onOutput)]);
    await this.#read;
  }

  /** Stops reading at once, in the middle of whatever is written: nothing of it is lost. */
  async pause(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await this.#read;
  }

  async #drain(stream: 'stdout' | 'stderr', onOutput: OutputListener): Promise<void> {
    const file = this.paths[stream];
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const socket = new Socket({ fd, readable: true, writable: false });
    this.#open.add(socket);
    // Whoever wrote may have gone before we came: then this is the last writer that goes, and the end is seen.
    closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    const hasEnded = await new Promise<boolean>((resolve) => {
      socket.on('data', (chunk: Buffer) => onOutput(chunk, stream));
      socket.on('error', () => resolve(true));
      socket.once('end', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    this.#open.delete(socket);
    socket.destroy();
    if (hasEnded) await rm(file, { force: true });
  }
}
