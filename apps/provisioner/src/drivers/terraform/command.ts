import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { describeError } from '../../log.ts';
import { identifyProcess, isAlive, waitForExit } from '../process/processes.ts';
import type { ProcessIdentity } from '../process/processes.ts';

/** How long a line of the output may lie about before it is read. */
const POLL_MS = 60;
const CHUNK = 64 * 1024;
/** Of one line; the rest of a longer one is dropped. Graphs and states are read from the whole output instead. */
const LINE_MAX = 1024 * 1024;
const TAIL_LINES = 40;

export interface CommandOptions {
  readonly binary: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For the output while it is written, and for who runs: one folder for all commands of a daemon. */
  readonly runDirectory: string;
  /** Aborted: the command is interrupted, and killed with all that it started when it has not ended `interruptGraceMs` later. */
  readonly signal: AbortSignal;
  readonly interruptGraceMs: number;
  readonly onLine?: (line: string) => void;
  readonly onErrorLine?: (line: string) => void;
  /** Whether the whole output is wanted in the end. */
  readonly keepsOutput?: boolean;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** Empty unless it was asked for. */
  readonly output: string;
  /** The last lines of what it said beside its output. */
  readonly errorTail: string;
}

/**
 * Runs one command to its end, and answers also when it failed or was interrupted; rejects only when it could not be started. Its output
 * goes to a file that is read along: so a command outlives a daemon that dies, and what it was changing is written down to the end.
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  options.signal.throwIfAborted();
  const id = randomUUID();
  await mkdir(options.runDirectory, { recursive: true, mode: 0o700 });
  const files = {
    out: join(options.runDirectory, `${id}.out`),
    err: join(options.runDirectory, `${id}.err`),
    pid: join(options.runDirectory, `${id}.pid`),
  };
  const [out, err] = [await open(files.out, 'wx+', 0o600), await open(files.err, 'wx+', 0o600)];
  try {
    const child = spawn(options.binary, [...options.arguments], {
      cwd: options.directory,
      env: { ...options.environment },
      // A process group of its own: an interrupt reaches Terraform, its providers and what they started, and never the daemon.
      detached: true,
      stdio: ['ignore', out.fd, err.fd],
    });
    const exited = once(child, 'exit') as Promise<[number | null]>;
    exited.catch(() => {});
    const { pid } = child;
    const identity = pid === undefined ? undefined : await identifyProcess(pid);
    if (identity !== undefined) await writeFile(files.pid, JSON.stringify(identity), { mode: 0o600 });
    return await follow(options, { out, err, exited, identity });
  } finally {
    await Promise.all([out.close(), err.close()]);
    await Promise.all(Object.values(files).map((file) => rm(file, { force: true })));
  }
}

interface Running {
  readonly out: FileHandle;
  readonly err: FileHandle;
  readonly exited: Promise<[number | null]>;
  readonly identity: ProcessIdentity | undefined;
}

async function follow(options: CommandOptions, { out, err, exited, identity }: Running): Promise<CommandResult> {
  const tail: string[] = [];
  const output: string[] = [];
  const outLines = new FileLines(
    out,
    (line) => options.onLine?.(line),
    options.keepsOutput === true ? (chunk) => output.push(chunk) : undefined,
  );
  const errLines = new FileLines(err, (line) => {
    // Lines of a log that was asked for are no complaints.
    if (!line.startsWith('{"@level"')) tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    options.onErrorLine?.(line);
  });
  const stopping = stopWhenAborted(options, identity);
  let exit: [number | null] | undefined;
  while (exit === undefined) {
    // Looked at before what is written, so that nothing written before the end is missed.
    exit = await Promise.race([exited, delay(POLL_MS, undefined)]);
    await outLines.read();
    await errLines.read();
  }
  outLines.end();
  errLines.end();
  await stopping.done();
  return { code: exit[0], output: output.join(''), errorTail: tail.join('\n') };
}

/** Interrupts a command when it is to stop, and makes sure that nothing of it is left. `done` when the command has ended. */
function stopWhenAborted({ signal, interruptGraceMs }: CommandOptions, identity: ProcessIdentity | undefined) {
  const grace = new AbortController();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    if (identity === undefined) return;
    stopped = (async () => {
      signalGroup(identity, 'SIGINT');
      await delay(interruptGraceMs, undefined, { signal: grace.signal }).catch(() => {});
      // Terraform has ended or takes too long; either way what it started ends with it.
      signalGroup(identity, 'SIGKILL');
    })();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    done: async () => {
      signal.removeEventListener('abort', stop);
      grace.abort();
      await stopped;
    },
  };
}

/** Reaches every process of the group, also when its leader has ended: the number of a group that has members is given to nobody else. */
function signalGroup({ pid }: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it, which is what was wanted.
  }
}

/** A file that somebody else is still writing, line by line. */
class FileLines {
  readonly #file: FileHandle;
  readonly #onLine: (line: string) => void;
  readonly #onChunk: ((chunk: string) => void) | undefined;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.alloc(CHUNK);
  #position = 0;
  #rest = '';

  constructor(file: FileHandle, onLine: (line: string) => void, onChunk?: (chunk: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
    this.#onChunk = onChunk;
  }

  /** Reads up to where the file ends now. */
  async read(): Promise<void> {
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, CHUNK, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      const chunk = this.#decoder.write(this.#buffer.subarray(0, bytesRead));
      if (this.#onChunk !== undefined) this.#onChunk(chunk);
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = (lines.pop() ?? '').slice(0, LINE_MAX);
      for (const line of lines) this.#onLine(line);
    }
  }

  end(): void {
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }
}

const Identity = z.object({ pid: z.int(), started: z.string() });

/**
 * Ends the commands that a daemon before this one left behind: each is interrupted, and killed when it has not ended `graceMs` later. What
 * they wrote into their states is then complete. Answers how many there were.
 */
export async function endLeftCommands(runDirectory: string, graceMs: number, warn: (sentence: string) => void): Promise<number> {
  const names = await readdir(runDirectory).catch(() => []);
  const left = await Promise.all(
    names
      .filter((name) => name.endsWith('.pid'))
      .map(async (name) => {
        try {
          const identity = Identity.parse(JSON.parse(await readFile(join(runDirectory, name), 'utf8')));
          if (!(await isAlive(identity))) return false;
          signalGroup(identity, 'SIGINT');
          if (!(await waitForExit(identity, graceMs))) warn(`process ${identity.pid} of an earlier daemon did not end in time; killing it`);
          signalGroup(identity, 'SIGKILL');
          return true;
        } catch (error) {
          warn(`${name} of an earlier daemon cannot be read: ${describeError(error)}`);
          return false;
        }
      }),
  );
  await rm(runDirectory, { recursive: true, force: true });
  return left.filter(Boolean).length;
}
