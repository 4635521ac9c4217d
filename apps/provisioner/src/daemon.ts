import { systemClock } from '@berth/core';
import type { Clock } from '@berth/core';
import type { SandboxReport } from '@berth/protocol';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Driver } from './driver.ts';
import { runJob } from './job-runner.ts';
import type { RunningJob } from './job-runner.ts';
import { describeError } from './log.ts';
import type { Log } from './log.ts';
import { KeyRejected, LeaseLost, Refused } from './server.ts';
import type { ProvisionerServer } from './server.ts';

export interface DaemonOptions {
  readonly server: ProvisionerServer;
  /** One of each type; the daemon takes jobs for these. */
  readonly drivers: readonly Driver[];
  /** How strongly the workspaces on this host are kept apart from it. */
  readonly sandbox: SandboxReport;
  /** Of a daemon without a key of its own; those of the key stand over them. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly version: string;
  readonly workDir: string;
  readonly concurrency: number;
  readonly log: Log;
  readonly clock?: Clock;
  /** How long running jobs may take once the daemon was asked to end; then they are handed back. */
  readonly drainMs?: number;
  readonly waitMs?: number;
  readonly heartbeatMs?: number;
}

export interface Daemon {
  /** Takes no more jobs, lets the running ones finish, hands back what does not in time. May be called again. */
  drain(): Promise<void>;
  /** Resolves when all loops have ended, which is after `drain`; rejects when the server rejects the daemon or another process took over its name. */
  readonly ended: Promise<void>;
}

/** A server that is not there is not waited for: the leases end by themselves. */
const GOODBYE_MS = 2_000;
const RETRY_MS = [100, 500, 2000, 5000] as const;

/** The server rejects this daemon, and would again: somebody has to change its key or its settings first. */
export class DaemonRejected extends Error {
  override readonly name = 'DaemonRejected';
}

function rejection(error: unknown): DaemonRejected | undefined {
  if (error instanceof KeyRejected) {
    return new DaemonRejected(
      'The server rejects the provisioner key: it is wrong, or it was deleted. Create a key and start the daemon with it.',
      {
        cause: error,
      },
    );
  }
  if (!(error instanceof Refused)) return undefined;
  return new DaemonRejected(`The server rejects the registration of this daemon: ${error.message}`, { cause: error });
}

/** Registers with the server and works on up to `concurrency` jobs at a time until it is drained. Losing the server is waited out. */
export function startDaemon(options: DaemonOptions): Daemon {
  const { server, drivers, sandbox, log, drainMs = 10_000, waitMs = 25_000 } = options;
  const sessionId = randomUUID();
  const stopping = new AbortController();
  const running = new Set<RunningJob>();

  const register = () =>
    server.registerDaemon({
      name: options.name,
      session_id: sessionId,
      version: options.version,
      provisioners: drivers.map(({ type }) => type),
      tags: { ...options.tags },
      sandbox,
      slots: options.concurrency,
    });

  /** Calls until it works or the daemon ends. Rejects with `isFinal`'s error, and when another process took over this daemon's name. */
  async function persist<T>(what: string, call: () => Promise<T>, isFinal: (error: unknown) => Error | undefined): Promise<T | undefined> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        if (error instanceof LeaseLost) {
          stopping.abort();
          throw error;
        }
        const final = isFinal(error);
        if (final !== undefined) {
          stopping.abort();
          throw final;
        }
        const retryMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
        log('warn', `${what} failed; trying again`, { error: describeError(error), retry_in_ms: retryMs });
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
    return undefined;
  }

  async function loop(daemonId: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const answer = await persist(
        'asking for a job',
        () => server.acquireJob({ daemon_id: daemonId, session_id: sessionId, wait_ms: waitMs }, stopping.signal),
        (error) => (error instanceof KeyRejected ? rejection(error) : undefined),
      );
      if (answer?.job === null || answer === undefined) continue;
      const job = runJob(answer.job, { ...options, clock: options.clock ?? systemClock });
      if (stopping.signal.aborted) job.handBack();
      running.add(job);
      await job.done;
      running.delete(job);
    }
  }

  let daemonId: string | undefined;

  /** Tells the server that this daemon takes no more jobs, or that it is gone and others may have what it still holds. */
  async function sayGoodbye(left: boolean): Promise<void> {
    if (daemonId === undefined) return;
    const said = server.drainDaemon({ daemon_id: daemonId, session_id: sessionId, left });
    const limit = new AbortController();
    await Promise.race([said, delay(GOODBYE_MS, undefined, { signal: limit.signal }).catch(() => {})]).catch((error: unknown) => {
      log('warn', 'the server was not told that this daemon leaves', { error: describeError(error) });
    });
    limit.abort();
  }

  async function main(): Promise<void> {
    const registered = await persist('registering', register, rejection);
    if (registered === undefined) return;
    daemonId = registered.daemon_id;
    log('info', 'registered', {
      name: options.name,
      drivers: drivers.map(({ type }) => type),
      sandbox: sandbox.kind,
      concurrency: options.concurrency,
    });
    const loops = await Promise.allSettled(Array.from({ length: options.concurrency }, () => loop(registered.daemon_id)));
    const failed = loops.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  const ended = main();
  const settled = ended.catch(() => {});
  return {
    ended,
    drain: async () => {
      stopping.abort();
      const isLeaving = sayGoodbye(false);
      const limit = new AbortController();
      const late = delay(drainMs, 'late' as const, { signal: limit.signal }).catch(() => 'done' as const);
      if ((await Promise.race([settled.then(() => 'done' as const), late])) === 'late') {
        for (const job of running) job.handBack();
        await settled;
      }
      limit.abort();
      await isLeaving;
      await sayGoodbye(true);
    },
  };
}
