import type { Log } from '../log.ts';
import { pause } from '../timing.ts';
import { ComeBackLater } from './come-back-later.ts';
import type { Program } from './fetch-program.ts';

/** How often fetching one version may fail. */
const FAILURES_MAX = 5;
/** How often the server may put it off. */
const DELAYS_MAX = 100;

/** Between two looks whether the workspace is in use. */
const LOOK_MS = 1000;
/** For connections that are neither terminals nor SSH: after so long they are cut, as when the server itself is updated. */
const PATIENCE_MS = 10 * 60_000;

export interface UpdaterOptions {
  /** What runs now. */
  readonly version: string;
  readonly log: Log;
  readonly fetch: (version: string, signal: AbortSignal) => Promise<Program>;
  /** `busy`: somebody works in the workspace; `connected`: something is open that can be opened again. */
  readonly use: () => 'busy' | 'connected' | 'free';
  /** Becomes the program, and answers nothing then; false when it has to be put off. */
  readonly become: (program: Program) => Promise<false>;
  readonly signal: AbortSignal;
  /** A server that was updated is asked by all its agents: each waits up to so many milliseconds. Half of it passes after a first failure. */
  readonly spreadMs: number;
}

export interface Updater {
  /** The server is of this version; empty when it does not say. */
  heard(version: string): void;
}

/** Brings the agent to the version of its server, when nobody is disturbed by it. Until then, and if it cannot be, it goes on as it is. */
export function createUpdater(options: UpdaterOptions): Updater {
  const { version: own, log, signal, spreadMs } = options;
  let target = own;
  let current = new AbortController();

  async function update(version: string, wanted: AbortSignal): Promise<void> {
    await pause(Math.random() * spreadMs, wanted);
    const program = await fetchPatiently(version, wanted);
    if (program === undefined) return;
    log('info', `Version ${version} of the agent is here; it takes over as soon as nobody uses a terminal, SSH or a script`);
    for (let freeSince: number | undefined; !wanted.aborted;) {
      const use = options.use();
      if (use === 'busy') freeSince = undefined;
      else freeSince ??= performance.now();
      const isTime = use === 'free' || (freeSince !== undefined && performance.now() - freeSince >= PATIENCE_MS);
      if (isTime) {
        await options.become(program);
        log('warn', `Version ${version} of the agent cannot take over now; it tries again`);
        await pause(10 * LOOK_MS, wanted);
      } else {
        await pause(LOOK_MS, wanted);
      }
    }
  }

  async function fetchPatiently(version: string, wanted: AbortSignal): Promise<Program | undefined> {
    let failures = 0;
    let delays = 0;
    while (!wanted.aborted) {
      try {
        return await options.fetch(version, wanted);
      } catch (error) {
        if (wanted.aborted) return undefined;
        if (error instanceof ComeBackLater && delays < DELAYS_MAX) {
          delays += 1;
          await pause(error.seconds * 1000 + Math.random() * spreadMs, wanted);
          continue;
        }
        failures += 1;
        if (failures >= FAILURES_MAX) {
          log('error', `Version ${version} of the agent could not be fetched in ${failures} attempts; version ${own} goes on`, error);
          return undefined;
        }
        log('warn', `Version ${version} of the agent could not be fetched (attempt ${failures} of ${FAILURES_MAX})`, error);
        await pause((spreadMs / 2) * 4 ** (failures - 1), wanted);
      }
    }
    return undefined;
  }

  return {
    heard: (version) => {
      const next = version === '' ? own : version;
      if (next === target) return;
      target = next;
      current.abort();
      current = new AbortController();
      if (next === own) return;
      log('info', `The server is version ${next}, this agent ${own}: it will be updated`);
      update(next, AbortSignal.any([signal, current.signal])).catch((error: unknown) =>
        log('error', 'The agent could not be updated', error),
      );
    },
  };
}
