import { PROVISIONER_LIMITS } from '@berth/protocol';
import type { JobLog, JobLogLevel, ProvisionerJob } from '@berth/protocol';
import type { Clock } from '@berth/core';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from './log.ts';
import type { Log } from './log.ts';
import { LeaseLost, Refused } from './server.ts';
import type { ProvisionerServer } from './server.ts';

/** Why a job's work has to stop. */
export type StopReason = 'canceled' | 'lease lost' | 'shutdown';

export class JobStopped extends Error {
  override readonly name = 'JobStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The job was stopped: ${reason}.`);
    this.reason = reason;
  }
}

export interface SessionOptions {
  readonly server: ProvisionerServer;
  readonly job: ProvisionerJob;
  readonly clock: Clock;
  readonly log: Log;
  /** Longest time between two heartbeats. */
  readonly heartbeatMs?: number;
  /** How long lines are collected before they are sent. */
  readonly batchMs?: number;
}

/** Lines kept while the server cannot be reached; what comes after is counted, not kept. */
const PENDING_MAX = 20_000;
const RETRY_MS = [50, 250, 1000, 2500] as const;

/**
 * One job's standing with the server: keeps the lease alive, sends the log in order and says by `signal` when the work
 * has to stop. There is one heartbeat under way at a time, so lines never overtake each other.
 */
export class JobSession {
  readonly #options: SessionOptions;
  readonly #abort = new AbortController();
  readonly #lease: { job_id: string; lease_token: string };
  #pending: JobLog[] = [];
  /** The number of the first pending line: by it the server knows what it has already when an answer got lost. */
  #sequence = 0;
  #dropped = 0;
  #aliveUntil: number;
  #ended = false;
  #lost = false;
  #wake: () => void = () => {};
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#lease = { job_id: options.job.id, lease_token: options.job.lease_token };
    this.#aliveUntil = options.clock.now().getTime() + options.job.lease_seconds * 1000;
  }

  /** Aborted with a `JobStopped` as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the job is somebody else's by now. */
  get isLost(): boolean {
    return this.#lost;
  }

  start(): void {
    this.#loop = this.#run();
  }

  stop(reason: StopReason): void {
    // A job that was cancelled can still be lost afterwards; the signal has room for the first reason only.
    this.#lost ||= reason === 'lease lost';
    this.#abort.abort(new JobStopped(reason));
    this.#wake();
  }

  /** Takes lines for the log. Debug and trace lines are dropped unless the job asks for them. */
  write(level: JobLogLevel, stage: string, output: string): void {
    if ((level === 'debug' || level === 'trace') && this.#options.job.log_level !== 'debug') return;
    const createdAt = this.#options.clock.now().toISOString();
    for (const line of cut(output.replaceAll('\0', ''))) {
      if (this.#pending.length >= PENDING_MAX) this.#dropped += 1;
      else this.#pending.push({ level, stage, output: line, created_at: createdAt });
    }
    this.#wake();
  }

  /** Sends what is left of the log, ends the heartbeats, then makes `call` with the lease, retrying while it can hold. */
  async finish<T>(call: (lease: { job_id: string; lease_token: string }) => Promise<T>): Promise<T> {
    this.#ended = true;
    this.#wake();
    await this.#loop;
    if (this.#lost) throw new LeaseLost('The lease is over.');
    return await this.#retry(() => call(this.#lease));
  }

  /** Ends the heartbeats and says nothing more: for a job that is not ours any more, or that others shall have. */
  async leave(): Promise<void> {
    this.#lost = true;
    this.#ended = true;
    this.#wake();
    await this.#loop;
  }

  /** A call about this job, retried while the lease can hold. */
  async call<T>(call: (lease: { job_id: string; lease_token: string }) => Promise<T>): Promise<T> {
    return await this.#retry(() => call(this.#lease));
  }

  async #run(): Promise<void> {
    const { heartbeatMs = 5000, batchMs = 100 } = this.#options;
    for (;;) {
      const ended = this.#ended;
      if (this.#lost || (ended && this.#pending.length === 0)) return;
      try {
        await this.#beat();
      } catch (error) {
        if (error instanceof LeaseLost) {
          this.stop('lease lost');
        } else {
          // Not refused for ever, or the lease would be lost: a heartbeat that the server cannot read costs its lines.
          this.#options.log('error', 'a heartbeat was refused', { job: this.#options.job.id, error: describeError(error) });
          this.#forget(this.#pending.length);
          await this.#sleep(heartbeatMs, () => this.#ended || this.#lost);
        }
        continue;
      }
      if (this.#ended || this.#pending.length >= PROVISIONER_LIMITS.logBatch) continue;
      if (this.#pending.length === 0) await this.#sleep(heartbeatMs, () => this.#pending.length > 0 || this.#ended || this.#lost);
      if (!this.#ended && this.#pending.length > 0) {
        await this.#sleep(batchMs, () => this.#ended || this.#lost || this.#pending.length >= PROVISIONER_LIMITS.logBatch);
      }
    }
  }

  async #beat(): Promise<void> {
    if (this.#dropped > 0 && this.#pending.length < PENDING_MAX) {
      const output = `${this.#dropped} line(s) are missing here: they came faster than they could be sent`;
      this.#pending.push({ level: 'warn', stage: 'log', output, created_at: this.#options.clock.now().toISOString() });
      this.#dropped = 0;
    }
    const logs = this.#pending.slice(0, PROVISIONER_LIMITS.logBatch);
    const sequence = this.#sequence;
    const answer = await this.#retry(() => this.#options.server.heartbeat({ ...this.#lease, sequence, logs }));
    this.#forget(logs.length);
    if (answer.cancel && !this.#abort.signal.aborted) this.stop('canceled');
  }

  #forget(count: number): void {
    this.#pending = this.#pending.slice(count);
    this.#sequence += count;
  }

  /** Calls again after a failure that may pass, until the lease would be over by the daemon's own clock. */
  async #retry<T>(call: () => Promise<T>): Promise<T> {
    const { clock, job, log } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      if (this.#lost) throw new LeaseLost('The lease is over.');
      try {
        const answer = await call();
        this.#aliveUntil = clock.now().getTime() + job.lease_seconds * 1000;
        return answer;
      } catch (error) {
        if (error instanceof LeaseLost) {
          this.stop('lease lost');
          throw error;
        }
        if (error instanceof Refused) throw error;
        if (clock.now().getTime() >= this.#aliveUntil) {
          this.stop('lease lost');
          throw new LeaseLost(`The server could not be reached for ${job.lease_seconds} s.`, { cause: error });
        }
        log('warn', 'the server could not be reached; trying again', { job: job.id, error: describeError(error) });
        await delay(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      }
    }
  }

  /** Sleeps `ms`, or less when `until` becomes true at a wake. */
  async #sleep(ms: number, until: () => boolean): Promise<void> {
    if (until()) return;
    const timer = new AbortController();
    this.#wake = () => {
      if (until()) timer.abort();
    };
    await delay(ms, undefined, { signal: timer.signal }).catch(() => {});
    this.#wake = () => {};
  }
}

/** One line of log per line of text, none longer than the wire allows. */
function cut(output: string): string[] {
  const lines: string[] = [];
  for (const line of output.replace(/\n$/, '').split('\n')) {
    for (let at = 0; at === 0 || at < line.length; at += PROVISIONER_LIMITS.logOutput) {
      lines.push(line.slice(at, at + PROVISIONER_LIMITS.logOutput));
    }
  }
  return lines;
}
