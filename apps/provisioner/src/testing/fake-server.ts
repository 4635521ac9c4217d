import { newId } from '@berth/core';
import type {
  CompleteBuildInput,
  CompleteDryRunInput,
  CompleteImportInput,
  FailJobInput,
  HeartbeatInput,
  JobLog,
  PlannedInput,
  ProvisionerJob,
  RegisterDaemonInput,
} from '@berth/protocol';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { LeaseLost } from '../server.ts';
import type { ProvisionerServer } from '../server.ts';

/** A server that does what a test tells it to, and remembers what it was told. */
export class FakeServer implements ProvisionerServer {
  readonly registered: RegisterDaemonInput[] = [];
  readonly logs: JobLog[] = [];
  readonly planned_: PlannedInput[] = [];
  readonly imports: CompleteImportInput[] = [];
  readonly builds: CompleteBuildInput[] = [];
  readonly dryRuns: CompleteDryRunInput[] = [];
  readonly failures: FailJobInput[] = [];
  files: Record<string, string> = { 'berth.yaml': 'version: 1' };
  downloads = 0;
  /** What the next heartbeats answer. */
  cancel = false;
  leaseLost = false;
  /** Thrown by the next calls, one each, before anything is remembered. */
  failing: Error[] = [];
  /** Thrown by the next heartbeats, one each, after their lines were taken. */
  losing: Error[] = [];
  #received = 0;
  readonly #queue: ProvisionerJob[] = [];
  #waiting: (() => void)[] = [];

  queue(job: ProvisionerJob): void {
    this.#queue.push(job);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #meet(): void {
    const failure = this.failing.shift();
    if (failure !== undefined) throw failure;
    if (this.leaseLost) throw new LeaseLost('The lease of this job is over.');
  }

  async registerDaemon(input: RegisterDaemonInput) {
    this.#meet();
    this.registered.push(input);
    return { daemon_id: newId() };
  }

  readonly goodbyes: boolean[] = [];

  async drainDaemon({ left }: { left: boolean }) {
    this.goodbyes.push(left);
  }

  async acquireJob(_input: unknown, signal: AbortSignal): Promise<{ job: ProvisionerJob | null }> {
    for (;;) {
      this.#meet();
      const job = this.#queue.shift();
      if (job !== undefined) return { job };
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    }
  }

  async heartbeat({ sequence = this.#received, logs }: HeartbeatInput) {
    this.#meet();
    this.logs.push(...logs.slice(Math.max(0, this.#received - sequence)));
    this.#received = Math.max(this.#received, sequence + logs.length);
    const loss = this.losing.shift();
    if (loss !== undefined) throw loss;
    return { cancel: this.cancel };
  }

  async planned(input: PlannedInput) {
    this.#meet();
    this.planned_.push(input);
    return { agents: input.resources.flatMap((resource) => resource.agents.map(({ name }) => ({ name, id: newId(), token: newId() }))) };
  }

  async completeImport(input: CompleteImportInput) {
    this.#meet();
    this.imports.push(input);
  }

  async completeBuild(input: CompleteBuildInput) {
    this.#meet();
    this.builds.push(input);
  }

  async completeDryRun(input: CompleteDryRunInput) {
    this.#meet();
    this.dryRuns.push(input);
  }

  async failJob(input: FailJobInput) {
    this.#meet();
    this.failures.push(input);
  }

  async downloadFile() {
    this.downloads += 1;
    const tar = pack();
    for (const [name, content] of Object.entries(this.files)) tar.entry({ name }, content);
    tar.finalize();
    return Readable.from(tar);
  }
}
