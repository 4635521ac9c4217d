import { invalid, notFound } from '@berth/core';
import { Prisma, type Tx } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';
import { tracked, type TrackedEnvelope } from '@trpc/server';
import { z } from 'zod';
import type { RawResource } from '../../agents/agent-presenter.ts';
import { presentResources } from '../../agents/agent-presenter.ts';
import { resourcesJson } from '../../agents/agent-sql.ts';
import type { WorkspaceResource } from '../../agents/contract.ts';
import { resumeAfter } from '../../builds/index.ts';
import { confirmed, type Confirmation } from '../../kernel/confirmation.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import { permittedStream } from '../../kernel/while-permitted.ts';
import { ProvisionerJob, type ProvisionerJobLog } from '../../provisioner-jobs/contract.ts';
import { followJobLogs, jobSql, listJobLogs, requestCancel } from '../../provisioner-jobs/index.ts';
import type { DryRun, DryRunInput, DryRunLogsInput, FollowDryRunLogsInput } from './contract.ts';

const Row = z.object({ organization_id: z.string(), initiator_id: z.string(), version_name: z.string(), job: ProvisionerJob });
type Row = z.output<typeof Row>;

/** One dry run of a version. The caller must authorise. @throws notFound also for a job that is none, or one of another version. */
export async function readDryRun(db: Tx, { templateversion, jobID }: DryRunInput): Promise<Row> {
  const [row] = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT j.organization_id, j.initiator_id, v.name AS version_name, ${jobSql('j')} AS job
    FROM provisioner_jobs j JOIN template_versions v ON v.id = j.dry_run_of_id
    WHERE j.id = ${jobID}::uuid AND v.id = ${templateversion}::uuid`);
  if (row === undefined) throw notFound();
  return Row.parse(row);
}

/** It is judged as the workspace that it makes up: of whoever asked for it. */
function objectOf(row: Row): ObjectRef {
  return workspaceObject({ organizationId: row.organization_id, ownerId: row.initiator_id });
}

async function findDryRun(call: UserCall, input: DryRunInput): Promise<Row> {
  const row = await readDryRun(call.db, input);
  call.authorize.require(objectOf(row));
  return row;
}

export async function getDryRun(call: UserCall, input: DryRunInput): Promise<DryRun> {
  return (await findDryRun(call, input)).job;
}

/** What the first start of a workspace would make. @throws invalid while the run is not over. */
export async function getDryRunResources(call: UserCall, input: DryRunInput): Promise<WorkspaceResource[]> {
  const { job } = await findDryRun(call, input);
  if (job.completed_at === null) throw invalid('The dry run has not ended yet.');
  const [row] = await call.db.$queryRaw<{ resources: RawResource[] }[]>(
    Prisma.sql`SELECT ${resourcesJson(Prisma.sql`${job.id}::uuid`)} AS resources`,
  );
  // No workspace stands around these agents, so their apps have no domains.
  return presentResources(row?.resources ?? [], { workspaceName: '', ownerName: '', now: call.services.clock.now() });
}

export async function getDryRunLogs(call: UserCall, input: DryRunLogsInput): Promise<ProvisionerJobLog[]> {
  const { job } = await findDryRun(call, input);
  return listJobLogs(call.db, job.id, { after: input.after, before: input.before });
}

/** The log of a dry run: what there is, then what comes, until it or the caller's right ends. Authorised before it is handed out. */
export async function followDryRunLogs(
  call: UserCall,
  { after, signal, ...input }: DryRunInput & { readonly after: number; readonly signal: AbortSignal },
): Promise<AsyncGenerator<ProvisionerJobLog, void, void>> {
  const row = await findDryRun(call, input);
  return permittedStream(call, { action: 'read', object: objectOf(row), signal }, (still) =>
    followJobLogs(call.services, row.job.id, after, still),
  );
}

/** The same for a subscription: each line carries its id, with which a client that lost its connection resumes. */
export async function subscribeDryRunLogs(
  call: UserCall,
  { templateversion, jobID, ...input }: FollowDryRunLogsInput,
  signal: AbortSignal,
): Promise<AsyncGenerator<TrackedEnvelope<ProvisionerJobLog>, void, void>> {
  const after = resumeAfter(input);
  return withIds(await followDryRunLogs(call, { templateversion, jobID, after, signal }));
}

/** Asks a dry run to end. @throws invalid when it has ended or was asked to already. */
export async function cancelDryRun(call: UserCall, input: DryRunInput): Promise<Confirmation> {
  const row = await readDryRun(call.db, input);
  call.audit.set({
    resourceId: input.templateversion,
    target: row.version_name,
    organizationId: row.organization_id,
    additionalFields: { dry_run: true, job_id: row.job.id, canceled: true },
  });
  call.authorize.require(objectOf(row));
  const status = await requestCancel(call, row.job.id);
  return confirmed(status === 'canceled' ? 'The dry run is canceled.' : 'The dry run is being canceled.');
}

async function* withIds(
  lines: AsyncGenerator<ProvisionerJobLog, void, void>,
): AsyncGenerator<TrackedEnvelope<ProvisionerJobLog>, void, void> {
  for await (const line of lines) yield tracked(String(line.id), line);
}
