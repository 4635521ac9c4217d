import type { Clock } from '@berth/core';
import { PROVISIONER_LIMITS } from '@berth/protocol';
import type { BuildJob, DryRunJob, ImportJob, JobErrorCode, ProvisionerJob, ProvisionerTiming } from '@berth/protocol';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackTar } from './archive.ts';
import { DriverError } from './driver.ts';
import type { Driver, DriverContext, JobStage } from './driver.ts';
import { JobSession, JobStopped } from './job-session.ts';
import type { StopReason } from './job-session.ts';
import { describeError } from './log.ts';
import type { Log } from './log.ts';
import { LeaseLost, Refused } from './server.ts';
import type { ProvisionerServer } from './server.ts';

export interface JobRunnerOptions {
  readonly server: ProvisionerServer;
  readonly drivers: readonly Driver[];
  readonly clock: Clock;
  readonly log: Log;
  /** For unpacked archives: one folder a job, removed with its end. */
  readonly workDir: string;
  readonly heartbeatMs?: number;
  readonly batchMs?: number;
}

export interface RunningJob {
  readonly id: string;
  /** Resolves when the daemon has nothing more to do with the job. Never rejects. */
  readonly done: Promise<void>;
  /**
   * Stops the work. Without a word to the server, so that whoever comes next takes the job over; but work that cannot be done twice ends as
   * failed, with what there is to be kept of it.
   */
  handBack(): void;
}

/** Works on one job to its end: completed, failed with a reason a person can read, or left because it is not ours any more. */
export function runJob(job: ProvisionerJob, options: JobRunnerOptions): RunningJob {
  const session = new JobSession({ ...options, job });
  const run = new JobRun(job, session, options);
  return { id: job.id, done: run.run(), handBack: () => session.stop('shutdown') };
}

class JobRun {
  readonly #job: ProvisionerJob;
  readonly #session: JobSession;
  readonly #options: JobRunnerOptions;
  readonly #timings: ProvisionerTiming[] = [];
  readonly #directory: string;
  #source: Promise<string> | undefined;
  /** What the build has made, once it has: from then on it must reach the server whatever happens. */
  #made: Uint8Array | undefined;
  /** The stage that is under way or has failed. */
  #doing: JobStage | undefined;

  constructor(job: ProvisionerJob, session: JobSession, options: JobRunnerOptions) {
    this.#job = job;
    this.#session = session;
    this.#options = options;
    this.#directory = join(options.workDir, job.id);
  }

  async run(): Promise<void> {
    const { log } = this.#options;
    const job = this.#job;
    log('info', 'job acquired', { job: job.id, kind: job.kind, attempt: job.attempt });
    this.#session.start();
    try {
      if (job.attempt > 1) this.#session.write('warn', 'init', `attempt ${job.attempt}: an earlier provisioner did not finish this job`);
      switch (job.kind) {
        case 'template_version_import':
          await this.#import(job);
          break;
        case 'workspace_build':
          await this.#build(job);
          break;
        case 'template_version_dry_run':
          await this.#dryRun(job);
          break;
      }
      log('info', 'job completed', { job: job.id });
    } catch (error) {
      await this.#fail(error);
    } finally {
      await rm(this.#directory, { recursive: true, force: true }).catch(() => {});
    }
  }

  async #import(job: ImportJob): Promise<void> {
    const { server } = this.#options;
    const driver = this.#driver();
    const directory = await this.#archive();
    const parsed = await this.#stage('plan', 'read the template', (context) =>
      driver.parse({ directory, variableValues: job.user_variable_values }, context),
    );
    await this.#session.finish((lease) =>
      server.completeImport({
        ...lease,
        readme: parsed.readme,
        variables: parsed.variables,
        parameters: parsed.parameters,
        start_resources: parsed.startResources,
        stop_resources: parsed.stopResources,
        external_auth_providers: parsed.externalAuthProviders,
        workspace_tags: parsed.workspaceTags,
      }),
    );
  }

  async #build(job: BuildJob): Promise<void> {
    const { server } = this.#options;
    const driver = this.#driver();
    const plan = await this.#stage('plan', job.transition, (context) => driver.plan({ job, source: () => this.#archive() }, context));
    const { agents } = await this.#session.call((lease) => server.planned({ ...lease, resources: plan.resources }));
    const applied = await this.#stage('apply', job.transition, (context) => plan.apply(agents, context));
    this.#made = applied.state;
    const { resources } = applied;
    if (resources !== undefined) await this.#session.call((lease) => server.planned({ ...lease, resources }));
    for (const timing of applied.timings) {
      this.#timings.push({
        stage: timing.stage ?? 'apply',
        source: timing.source ?? driver.type,
        action: timing.action,
        resource: timing.resource,
        started_at: timing.startedAt.toISOString(),
        ended_at: timing.endedAt.toISOString(),
      });
    }
    const state = Buffer.from(applied.state).toString('base64');
    await this.#session.finish((lease) =>
      server.completeBuild({ ...lease, state, timings: this.#timings.slice(0, PROVISIONER_LIMITS.timings) }),
    );
  }

  /** Plans the first start of a workspace that there is not, and throws the plan away. */
  async #dryRun(job: DryRunJob): Promise<void> {
    const { server } = this.#options;
    const first: BuildJob = {
      ...job,
      kind: 'workspace_build',
      build_id: randomUUID(),
      build_number: 1,
      transition: 'start',
      state: '',
      prebuilt: false,
    };
    const plan = await this.#stage('plan', 'dry run', (context) =>
      this.#driver().plan({ job: first, source: () => this.#archive() }, context),
    );
    await this.#session.finish((lease) => server.completeDryRun({ ...lease, resources: plan.resources }));
  }

  #driver(): Driver {
    const { provisioner } = this.#job;
    const driver = this.#options.drivers.find(({ type }) => type === provisioner);
    if (driver === undefined) throw new DriverError(`This provisioner has no driver for ${provisioner} templates.`);
    return driver;
  }

  /** The unpacked template; downloaded once, at the first call. */
  #archive(): Promise<string> {
    this.#source ??= this.#stage('init', 'download', async ({ signal }) => {
      await rm(this.#directory, { recursive: true, force: true });
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      const tar = await this.#options.server.downloadFile(this.#job.file_id, signal);
      await unpackTar(tar, { directory: this.#directory, signal });
      return this.#directory;
    });
    return this.#source;
  }

  async #stage<T>(stage: JobStage, action: string, work: (context: DriverContext) => Promise<T>): Promise<T> {
    const startedAt = this.#options.clock.now();
    const result = await this.#inStage(stage, work);
    this.#timings.push({
      stage,
      source: this.#job.provisioner,
      action,
      resource: '',
      started_at: startedAt.toISOString(),
      ended_at: this.#options.clock.now().toISOString(),
    });
    return result;
  }

  /** After a failure `#doing` keeps the stage that failed. */
  async #inStage<T>(stage: JobStage, work: (context: DriverContext) => Promise<T>): Promise<T> {
    const { signal } = this.#session;
    signal.throwIfAborted();
    const around = this.#doing;
    this.#doing = stage;
    const result = await work({
      signal,
      log: (level, output) => this.#session.write(level, stage, output),
      inStage: (inner, innerWork) => this.#inStage(inner, innerWork),
    });
    this.#doing = around;
    return result;
  }

  async #fail(error: unknown): Promise<void> {
    const { server, log } = this.#options;
    const reason = this.#stopReason();
    const made = error instanceof DriverError && error.state !== undefined ? error.state : this.#made;
    if (error instanceof LeaseLost || this.#session.isLost || (reason === 'shutdown' && made === undefined)) {
      await this.#session.leave();
      log('warn', 'job left', { job: this.#job.id, reason: reason ?? describeError(error) });
      return;
    }
    const canceled = reason === 'canceled';
    const failure = canceled ? { error: '', code: '' as const } : explain(error, reason);
    if (canceled) this.#session.write('warn', 'cancel', 'canceled');
    else this.#session.write('error', this.#doing ?? 'error', failure.error);
    log(canceled ? 'info' : 'warn', canceled ? 'job canceled' : 'job failed', { job: this.#job.id, error: describeError(error) });
    const state = made === undefined ? {} : { state: Buffer.from(made).toString('base64') };
    const variables = error instanceof DriverError && error.variables !== undefined ? { variables: [...error.variables] } : {};
    try {
      await this.#session.finish((lease) =>
        server.failJob({ ...lease, error: failure.error, error_code: failure.code, canceled, ...state, ...variables }),
      );
    } catch (left) {
      // The lease runs out by itself, and the server then says what became of the job.
      log('error', 'a failure could not be reported', { job: this.#job.id, error: describeError(left) });
    }
  }

  #stopReason(): StopReason | undefined {
    const reason: unknown = this.#session.signal.reason;
    return reason instanceof JobStopped ? reason.reason : undefined;
  }
}

function explain(error: unknown, reason: StopReason | undefined): { error: string; code: JobErrorCode } {
  if (reason === 'shutdown') {
    return {
      error: 'The provisioner was stopped while it worked on this build. What it had made until then is known: build again.',
      code: '',
    };
  }
  if (error instanceof DriverError) return { error: clip(error.message), code: error.code };
  if (error instanceof Refused) return { error: clip(`The server refused what the template describes: ${error.message}`), code: '' };
  return { error: clip(`The provisioner failed: ${describeError(error)}`), code: '' };
}

function clip(text: string): string {
  const max = 8 * 1024;
  return (text === '' ? 'The provisioner failed without a reason.' : text).replaceAll('\0', '').slice(0, max);
}
