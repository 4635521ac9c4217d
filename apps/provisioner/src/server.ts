import type {
  AcquireJobInput,
  AcquireJobOutput,
  CompleteBuildInput,
  CompleteDryRunInput,
  CompleteImportInput,
  DrainDaemonInput,
  FailJobInput,
  HeartbeatInput,
  HeartbeatOutput,
  PlannedInput,
  PlannedOutput,
  RegisterDaemonInput,
  RegisterDaemonOutput,
} from '@berth/protocol';
import type { Readable } from 'node:stream';

/**
 * All that the daemon asks of the server. Methods reject with `LeaseLost` when the job is not ours any more, with
 * `Refused` when asking again would not help, and with anything else when it might.
 */
export interface ProvisionerServer {
  registerDaemon(input: RegisterDaemonInput): Promise<RegisterDaemonOutput>;
  drainDaemon(input: DrainDaemonInput): Promise<void>;
  acquireJob(input: AcquireJobInput, signal: AbortSignal): Promise<AcquireJobOutput>;
  heartbeat(input: HeartbeatInput): Promise<HeartbeatOutput>;
  planned(input: PlannedInput): Promise<PlannedOutput>;
  completeImport(input: CompleteImportInput): Promise<void>;
  completeBuild(input: CompleteBuildInput): Promise<void>;
  completeDryRun(input: CompleteDryRunInput): Promise<void>;
  failJob(input: FailJobInput): Promise<void>;
  /** The template archive, a tar. */
  downloadFile(fileId: string, signal: AbortSignal): Promise<Readable>;
}

/** Another daemon has the job, or nobody: stop working on it at once and say nothing more about it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The server does not accept the daemon's key: it is wrong, or it was deleted. */
export class KeyRejected extends Error {
  override readonly name = 'KeyRejected';
}

/** The server understood and said no. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
