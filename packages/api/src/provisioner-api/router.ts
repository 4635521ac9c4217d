import {
  AcquireJobInput,
  AcquireJobOutput,
  CompleteBuildInput,
  CompleteBuildOutput,
  CompleteDryRunInput,
  CompleteDryRunOutput,
  CompleteImportInput,
  CompleteImportOutput,
  DrainDaemonInput,
  DrainDaemonOutput,
  FailJobInput,
  FailJobOutput,
  HeartbeatInput,
  HeartbeatOutput,
  PlannedInput,
  PlannedOutput,
  RegisterDaemonInput,
  RegisterDaemonOutput,
} from '@berth/protocol';
import { provisionerProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { acquireJob } from './acquire-job.ts';
import { completeBuild } from './complete-build.ts';
import { completeDryRun } from './complete-dry-run.ts';
import { completeImport } from './complete-import.ts';
import { drainDaemon } from './drain-daemon.ts';
import { failJob } from './fail-job.ts';
import { heartbeat } from './heartbeat.ts';
import { planned } from './planned.ts';
import { registerDaemon } from './register-daemon.ts';

const meta = { permission: 'provisioner', audit: { none: 'work of a provisioner; what a build did is recorded when it ends' } } as const;

/** What provisioner daemons call, over their WebSocket. Not on REST. */
export const provisionerApiRouter = t.router({
  registerDaemon: provisionerProcedure
    .meta(meta)
    .input(RegisterDaemonInput)
    .output(RegisterDaemonOutput)
    .mutation(({ ctx, input }) => registerDaemon(ctx, input)),

  drainDaemon: provisionerProcedure
    .meta(meta)
    .input(DrainDaemonInput)
    .output(DrainDaemonOutput)
    .mutation(({ ctx, input }) => drainDaemon(ctx, input)),

  acquireJob: provisionerProcedure
    .meta({
      ...meta,
      audit: {
        none: 'hands out work; the session token that a template gets lives and dies with its workspace, whose builds are recorded',
      },
      untransacted: 'it waits for work; the claim is one statement',
    })
    .input(AcquireJobInput)
    .output(AcquireJobOutput)
    .mutation(({ ctx, input, signal }) => acquireJob(ctx, input, signal)),

  heartbeat: provisionerProcedure
    .meta(meta)
    .input(HeartbeatInput)
    .output(HeartbeatOutput)
    .mutation(({ ctx, input }) => heartbeat(ctx, input)),

  planned: provisionerProcedure
    .meta({ ...meta, untransacted: 'a build that does not fit the quota ends, and the daemon is refused all the same' })
    .input(PlannedInput)
    .output(PlannedOutput)
    .mutation(({ ctx, input }) => planned(ctx, input)),

  completeImport: provisionerProcedure
    .meta(meta)
    .input(CompleteImportInput)
    .output(CompleteImportOutput)
    .mutation(({ ctx, input }) => completeImport(ctx, input)),

  completeBuild: provisionerProcedure
    .meta(meta)
    .input(CompleteBuildInput)
    .output(CompleteBuildOutput)
    .mutation(({ ctx, input }) => completeBuild(ctx, input)),

  completeDryRun: provisionerProcedure
    .meta(meta)
    .input(CompleteDryRunInput)
    .output(CompleteDryRunOutput)
    .mutation(({ ctx, input }) => completeDryRun(ctx, input)),

  failJob: provisionerProcedure
    .meta(meta)
    .input(FailJobInput)
    .output(FailJobOutput)
    .mutation(({ ctx, input }) => failJob(ctx, input)),
});
