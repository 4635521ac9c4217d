import type { Log } from '../log.ts';
import { pause } from '../timing.ts';
import { ComeBackLater } from './fetch-program.ts';
import type { Program } from './fetch-program.ts';

/** How often fetching one version may fail. */
const FAILURES_MAX = 5;
/** How often the server may put it off. */
const DELAYS_MAX = 100;

export interface UpdateTimes {
  /** A server that was updated is asked by all its agents: each waits up to so many milliseconds. */
  readonly spreadMs: number;
  /** After the first failure; four times as long after each later one. */
  readonly retryMs: number;
  /** Between two looks whether the workspace is in use. */
  readonly lookMs: number;
  /** For connections that are neither terminals nor SSH: after so long they are cut, as when the server itself is updated. */
  readonly patienceMs: number;
}

const TIMES: UpdateTimes = { spreadMs: 60_000, retryMs: 30_000, lookMs: 2000, patienceMs: 10 * 60_000 };

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
  readonly times?: Partial<UpdateTimes> | undefined;
}

export interface Updater {
  /** The server is of this version; empty when it does not say. */
  heard(version: string): void;
}

/** Brings the agent to the version of its server, when nobody is disturbed by it. Until then, and if it cannot be, it goes on as it is. */
export function createUpdater(options: UpdaterOptions): Updater {
  const { version: own, log, signal } = options;
  const times = { ...TIMES, ...options.times };
  let target = own;
  let current = new AbortController();

  async function update(version: string, wanted: AbortSignal): Promise<void> {
    await pause(Math.random() * times.spreadMs, wanted);
    const program = await fetchPatiently(version, wanted);
    if (program === undefined) return;
    log('info', `Version ${version} of the agent is here; it takes over as soon as nobody uses a terminal, SSH or a script`);
    for (let freeSince: number | undefined; !wanted.aborted;) {
      const use = options.use();
      if (use === 'busy') freeSince = undefined;
      else freeSince ??= performance.now();
      const isTime = use === 'free' || (freeSince !== undefined && performance.now() - freeSince >= times.patienceMs);
      if (isTime) {
        await options.become(program);
        log('warn', `Version ${version} of the agent cannot take over now; it tries again`);
        await pause(times.lookMs * 10, wanted);
      } else {
        await pause(times.lookMs, wanted);
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
          await pause(Math.min(error.seconds * 1000, 60 * times.retryMs) + Math.random() * times.spreadMs, wanted);
          continue;
        }
        failures += 1;
        if (failures >= FAILURES_MAX) {
          log('error', `Version ${version} of the agent could not be fetched in ${failures} attempts; version ${own} goes on`, error);
          return undefined;
        }
        log('warn', `Version ${version} of the agent could not be fetched (attempt ${failures} of ${FAILURES_MAX})`, error);
        await pause(times.retryMs * 4 ** (failures - 1), wanted);
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
